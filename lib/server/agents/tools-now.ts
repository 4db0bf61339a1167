/** The tools of a config as its toolkits list them now, for toolkits whose tools may change during a run. */
import type { ServerText } from '#lib/spec/server-text'
import type { ToolPorts } from '#lib/spec/tool'
import { type NamedTool, settleNames } from '#lib/spec/tool-names'
import { usualWeight } from '#lib/spec/tool-view'
import type { BoundTool, ToolListing, WithheldByToolkit } from '#lib/spec/toolkit'
import { type EntryNow, listEntry, type OpenEntry, prepareEntry } from '#lib/toolkits/entry'
import type { BoundSkills } from './skills'

/** An entry with the tools that it was opened with. */
export interface OpenedEntry extends OpenEntry {
  readonly tools: readonly BoundTool[]
}

type ToolsOfEntry = Pick<OpenedEntry, 'entry' | 'tools' | 'toolkit'>

/** The tools of all entries in the order given, each with what its entry says about a name that is taken. */
export function namedTools(
  entries: readonly Omit<ToolsOfEntry, 'toolkit'>[],
): (NamedTool & { readonly tool: BoundTool })[] {
  return entries.flatMap(({ entry: { onDuplicate = 'raise' }, tools }) =>
    tools.map((tool) => ({ name: tool.name, onDuplicate, tool })),
  )
}

/** Takes out the tools of toolkits that give way to others, where another tool has the name. */
function giveWay<E extends ToolsOfEntry>(
  entries: readonly E[],
): { readonly entries: readonly E[]; readonly withheld: readonly WithheldByToolkit[] } {
  if (entries.every(({ toolkit }) => toolkit.givesWay !== true)) return { entries, withheld: [] }
  const owners = entries.filter(({ toolkit }) => toolkit.givesWay !== true)
  const taken = new Set(owners.flatMap(({ tools }) => tools.map(({ name }) => name)))
  const withheld: WithheldByToolkit[] = []
  const left = entries.map((each): E => {
    if (each.toolkit.givesWay !== true || each.entry.onDuplicate === 'rename') return each
    const tools = each.tools.filter(({ name, node, source }) => {
      if (!taken.has(name)) return true
      const reason = `another tool of the agent has the name ${name}, and it is offered in its place`
      withheld.push({ name: `${source}:${name}`, node, source, reason })
      return false
    })
    return { ...each, tools }
  })
  // The names are given in this order: a tool that gives way is the one that gets a number.
  const givesWay = ({ toolkit }: E) => Number(toolkit.givesWay === true)
  return { entries: left.toSorted((a, b) => givesWay(a) - givesWay(b)), withheld }
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
export type Lister = (ports: ToolPorts) => (signal: AbortSignal) => Promise<ToolListing>

/**
 * @param complete adds the tools that belong to no entry, those of skills in the form given
 * @param skillsOf lists what the skills of the config give now
 */
export function listerOf(
  entries: readonly OpenedEntry[],
  complete: (tools: readonly BoundTool[], ofSkills?: readonly BoundTool[]) => readonly BoundTool[],
  skillsOf?: BoundSkills['lister'],
): Lister | undefined {
  const canLack = ({ tools }: OpenedEntry) => tools.some(({ lack }) => lack !== undefined)
  if (skillsOf === undefined && entries.every((each) => each.toolkit.now === undefined && !canLack(each)))
    return undefined
  return (ports) => {
    let before: readonly unknown[] = [...entries.flatMap(({ tools }) => [tools, undefined]), undefined]
    let listing: ToolListing = { tools: complete(withOwnNames(entries)) }
    let prepared: Promise<ServerText[][]> | undefined
    const listSkills = skillsOf?.(ports)
    const lacks = entries.map((): LastLack => ({}))
    return async (signal) => {
      prepared ??= Promise.all(entries.map((each) => prepareEntry(each, ports, signal)))
      const serverTexts = (await prepared).flat()
      const now = await Promise.all(
        entries.map(async (each, index) => {
          const listed = await listEntry(each, ports)
          return listed ?? (canLack(each) ? lacking(each, ports, lacks[index] ?? {}) : undefined)
        }),
      )
      const skills = await listSkills?.()
      const lists = [
        ...entries.flatMap(({ tools }, index) => [now[index]?.of ?? tools, now[index]?.withheldOf]),
        skills,
      ]
      if (lists.every((each, at) => each === before[at])) return listing
      const isOther = (at: number) =>
        lists[2 * at] !== before[2 * at] || lists[2 * at + 1] !== before[2 * at + 1]
      const reasons = now.flatMap((each, index) =>
        each !== undefined && isOther(index) ? [each.reason] : [],
      )
      if (skills !== undefined && skills !== before.at(-1)) reasons.push(skills.reason)
      const bound = entries.map(({ tools, ...each }, index) => ({
        ...each,
        tools: now[index]?.bound() ?? tools,
      }))
      const left = giveWay(bound)
      const withheld = [
        ...now.flatMap((each) => each?.withheld ?? []),
        ...left.withheld,
        ...(skills?.withheld ?? []),
      ]
      const mayWithhold = skills !== undefined || now.some((each) => each?.withheldOf !== undefined)
      listing = {
        tools: complete(withOwnNames(left.entries), skills?.tools),
        ...(mayWithhold && { withheld }),
        ...(reasons.length > 0 && { reason: reasons.join('; ') }),
        ...(serverTexts.length > 0 && { serverTexts }),
        ...(skills && skills.lines.length > 0 && { skills: skills.lines }),
      }
      before = lists
      return listing
    }
  }
}

/** What an entry lacked when it was asked last. */
interface LastLack {
  reasons?: string
  now?: EntryNow | undefined
}

/** The tools of an entry without those that cannot be offered here; the same lists while nothing has changed. */
function lacking(
  { tools, index, entry }: OpenedEntry,
  ports: ToolPorts,
  last: LastLack,
): EntryNow | undefined {
  const withheld = tools.flatMap(({ name, lack }) => {
    const reason = lack?.(ports)
    return reason === undefined ? [] : [{ name, reason }]
  })
  const reasons = JSON.stringify(withheld)
  if (last.reasons === reasons) return last.now
  const gone = new Set(withheld.map(({ name }) => name))
  const left = tools.filter(({ name }) => !gone.has(name))
  const node = `tools/${index}`
  const had = last.now !== undefined
  last.reasons = reasons
  last.now =
    withheld.length === 0 && !had
      ? undefined
      : {
          of: left,
          withheldOf: withheld,
          bound: () => left,
          withheld: withheld.map((each) => ({ ...each, node, source: entry.use })),
          reason: withheld[0]?.reason ?? 'What was missing is set up now.',
        }
  return last.now
}
