/** An answer as Markdown; an answer that fits an output schema is shown as its JSON. */
import type { JsonValue } from '#lib/spec/json'

/** An output never changes, so it is formatted once, however often it is rendered. */
const known = new WeakMap<object, string>()

export function answerWords(answer: string, output: JsonValue | null | undefined): string {
  if (output === null || output === undefined) return answer
  if (typeof output !== 'object') return fenceJson(output)
  const words = known.get(output) ?? fenceJson(output)
  known.set(output, words)
  return words
}

function fenceJson(output: JsonValue): string {
  return `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``
}
