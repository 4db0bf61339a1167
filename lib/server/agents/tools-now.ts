/** The tools of a config as its toolkits list them now, for toolkits whose tools may change during a run. */
import type { ToolPorts } from '#lib/spec/tool'
import { type NamedTool, settleNames } from '#lib/spec/tool-names'
import { usualWeight } from '#lib/spec/tool-view'
import type { BoundTool, ToolListing } from '#lib/spec/toolkit'
import { listEntry, type OpenEntry } from '#lib/toolkits/entry'

/** An entry with the tools that it was opened with. */
export interface OpenedEntry extends OpenEntry {
  readonly tools: readonly BoundTool[]
}

type ToolsOfEntry = Pick<OpenedEntry, 'entry' | 'tools'>

/** The tools of all entries in their order, each with what its entry says about a name that is taken. */
export function namedTools(entries: readonly ToolsOfEntry[]): (NamedTool & { readonly tool: BoundTool })[] {
  return entries.flatMap(({ entry: { onDuplicate = 'raise' }, tools }) =>
    tools.map((tool) => ({ name: tool.name, onDuplicate, tool })),
  )
}

/** The tools that are offered, heaviest first, each under a name of its own. Of two that clash the first is offered. */
export function withOwnNames(entries: readonly ToolsOfEntry[]): BoundTool[] {
  const named = namedTools(entries)
  const offered = settleNames(named).flatMap((settled, index) => {
    const tool = named[index]?.tool
    if (tool === undefined || settled.is !== 'offered') return []
    return [settled.name === tool.name ? tool : { ...tool, name: settled.name }]
  })
  const weightOf = ({ weight = usualWeight }: BoundTool) => weight
  return offered.sort((a, b) => weightOf(b) - weightOf(a))
}

/** For one run, a function that lists the tools of all entries; undefined when none of them can change. */
export type Lister = (ports: ToolPorts) => () => Promise<ToolListing>

/** @param complete adds the tools that belong to no entry */
export function listerOf(
  entries: readonly OpenedEntry[],
  complete: (tools: readonly BoundTool[]) => readonly BoundTool[],
): Lister | undefined {
  if (entries.every(({ toolkit }) => toolkit.now === undefined)) return undefined
  return (ports) => {
    let before: readonly unknown[] = entries.map(({ tools }) => tools)
    let listing: ToolListing = { tools: complete(withOwnNames(entries)) }
    return async () => {
      const now = await Promise.all(entries.map((each) => listEntry(each, ports)))
      const lists = entries.map(({ tools }, index) => now[index]?.of ?? tools)
      const isOther = (at: number) => lists[at] !== before[at]
      if (!lists.some((_, index) => isOther(index))) return listing
      const reasons = now.flatMap((each, index) =>
        each !== undefined && isOther(index) ? [each.reason] : [],
      )
      const bound = entries.map(({ entry, tools }, index) => ({ entry, tools: now[index]?.bound() ?? tools }))
      listing = {
        tools: complete(withOwnNames(bound)),
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
      }
      before = lists
      return listing
    }
  }
}
