/** An answer as Markdown: one that fits an output schema stands as the JSON it is. */
import type { JsonValue } from '#lib/spec/json'

export function answerWords(answer: string, output: JsonValue | null | undefined): string {
  return output === null || output === undefined
    ? answer
    : `\`\`\`json\n${JSON.stringify(output, null, 2)}\n\`\`\``
}
