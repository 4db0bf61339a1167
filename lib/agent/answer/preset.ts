/** Warns of arguments that the model sent although they are preset: it cannot know them, and they are ignored. */
import type { Part } from '#lib/spec/message'
import type { BoundTool } from '#lib/spec/toolkit'

/** One sentence for each call; it names the arguments and never shows a value. */
export function presetWarnings(
  parts: readonly Part[],
  toolOf: (name: string) => BoundTool | undefined,
): string[] {
  return parts.flatMap((part): string[] => {
    if (part.type !== 'call' || part.args === undefined) return []
    const { args } = part
    const sent = (toolOf(part.name)?.preset ?? []).filter((key) => Object.hasOwn(args, key))
    if (sent.length === 0) return []
    return [
      `A call of ${part.name} set ${sent.join(' and ')}, which is preset; what the model sent was ignored.`,
    ]
  })
}
