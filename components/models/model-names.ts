/**
 * What can be read from names of models: which are chat models, and which one a person most likely wants. Any
 * endpoint may list models of any maker, so this file knows families of models and no providers. Pure.
 */

/** Models that do not answer with chat messages. */
const noChat =
  /embed|whisper|tts|speech|audio|dall-?e|image|sora|video|moderation|realtime|transcri|rerank|search|guard|instruct-0914|babbage|davinci|computer-use|codex|ocr/i
/** Families that are good at tool calls at a fair price, best first; within a family the newest is taken. */
const favourites = [
  /^gpt-\d[\d.]*-(mini|terra)\b/,
  /^gpt-\d[\d.]*(-sol)?$/,
  /^claude-(.*-)?sonnet/,
  /^claude/,
  /^gpt-\d/,
  /^deepseek-(chat|v\d)/,
  /^qwen[\d-]/,
  /^gpt-oss/,
  /^mi(ni)?stral/,
  /^llama/,
]

/** In the given order, with models that are not for chat moved to the end. */
export function chatFirst<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const isChat = (item: T) => !noChat.test(nameOf(item))
  return [...items.filter(isChat), ...items.filter((each) => !isChat(each))]
}

/** The listed model that a person most likely wants; undefined if there is none. */
export function bestGuess(names: readonly string[]): string | undefined {
  const chat = names.filter((each) => !noChat.test(each))
  for (const family of favourites) {
    const [newest] = chat
      .filter((each) => family.test(bareName(each)))
      .toSorted((a, b) => versionOf(b) - versionOf(a) || a.length - b.length)
    if (newest !== undefined) return newest
  }
  return chat[0] ?? names[0]
}

/** Some endpoints put a maker before the name: `openai/gpt-5-mini`. */
function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase()
}

/** `claude-sonnet-4-5-20250929` → 4.05, `gpt-5.1-mini` → 5.01; numbers too long for a version are dates. */
function versionOf(name: string): number {
  const [, whole = '0', part = '0'] = /(?<!\d)(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(bareName(name)) ?? []
  return Number(whole) + Number(part) / 100
}
