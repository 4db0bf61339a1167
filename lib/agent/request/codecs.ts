/** Opens the protocol over the tools of each step; steps with the same tools share one codec. */
import type { Codec } from '#lib/spec/protocol'
import type { RunState, StepState } from '#lib/spec/state'
import type { DescribedTool } from '#lib/spec/toolkit'
import type { RunDeps } from '../deps'

type ToolRecord = NonNullable<RunState['tools']>

/** The codec of a step. A step that was recorded without tools uses the codec of the config. */
export function createCodecs({
  codec,
  tools,
}: Pick<RunDeps, 'codec' | 'tools'>): (step: Pick<StepState, 'tools'>) => Codec {
  const byRecord = new WeakMap<ToolRecord, Codec>()
  const byContent = new Map([[contentOf(codec.offered), codec]])
  const inConfig = firstByName(tools)
  return ({ tools: record }) => {
    if (record === undefined) return codec
    let known = byRecord.get(record)
    if (known === undefined) {
      const content = contentOf(record.offered)
      known = byContent.get(content) ?? codec.over(definitionsIn(record, inConfig))
      byContent.set(content, known)
      byRecord.set(record, known)
    }
    return known
  }
}

/** Equal for equal sets: the names in their order, which are hidden, and the definitions that are not in the config. */
function contentOf(
  offered: readonly Pick<ToolRecord['offered'][number], 'name' | 'definition' | 'hidden'>[],
): string {
  return JSON.stringify(
    offered.map(({ name, definition, hidden }) =>
      definition === undefined && !hidden ? name : [name, definition, hidden],
    ),
  )
}

/** A tool whose definition is neither in the events nor in the config is left out. */
function definitionsIn(
  { offered }: ToolRecord,
  inConfig: ReadonlyMap<string, DescribedTool>,
): DescribedTool[] {
  return offered.flatMap(({ name, definition, hidden }): DescribedTool | DescribedTool[] => {
    if (definition !== undefined) return [{ name, ...definition, ...(hidden && { hidden }) }]
    return inConfig.get(name) ?? []
  })
}

/** Of two tools with one name the first is used. */
export function firstByName<T extends { readonly name: string }>(tools: readonly T[]): Map<string, T> {
  const first = new Map<string, T>()
  for (const tool of tools) if (!first.has(tool.name)) first.set(tool.name, tool)
  return first
}
