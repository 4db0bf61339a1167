/** An answer as Markdown: one that fits an output schema stands as the JSON it is. */
import type { JsonValue } from '#lib/spec/json'

/** An output never changes: it is written out once, however often it is drawn. */
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
