/** The tools of a config as its toolkits list them now, for toolkits whose tools may change during a run. */
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool, ToolListing } from '#lib/spec/toolkit'
import { listEntry, type OpenEntry } from '#lib/toolkits/entry'

/** An entry with the tools that it was opened with. */
export interface OpenedEntry extends OpenEntry {
  readonly tools: readonly BoundTool[]
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
    let listing: ToolListing = { tools: complete(entries.flatMap(({ tools }) => tools)) }
    return async () => {
      const now = await Promise.all(entries.map((each) => listEntry(each, ports)))
      const lists = entries.map(({ tools }, index) => now[index]?.of ?? tools)
      const isOther = (at: number) => lists[at] !== before[at]
      if (!lists.some((_, index) => isOther(index))) return listing
      const reasons = now.flatMap((each, index) =>
        each !== undefined && isOther(index) ? [each.reason] : [],
      )
      const bound = entries.flatMap(({ tools }, index) => now[index]?.bound() ?? tools)
      listing = { tools: complete(bound), ...(reasons.length > 0 && { reason: reasons.join('; ') }) }
      before = lists
      return listing
    }
  }
}
