/** Folds a change of the offered tools into the state. */
import type { EventOf } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

/** How many of the tools that a run found stay offered. */
export const mostFound = 20

/** The tools found so far, with those found last at the end. */
export function withFound(before: readonly string[] = [], names: readonly string[]): readonly string[] {
  const again = new Set(names)
  return [...before.filter((name) => !again.has(name)), ...again].slice(-mostFound)
}

type ToolRecord = NonNullable<RunState['tools']>

/** Tools keep their places in the list, and new ones come last. */
export function toolsChanged(state: RunState, event: EventOf<'tools.changed'>): RunState {
  const { added, removed, changed, reason } = event
  state.tools = changedTools(state.tools ?? { offered: [], withheld: [] }, event)
  state.toolChanges.push({
    at: event.at,
    added: added.map(({ name }) => name),
    removed: removed.map(({ name }) => name),
    changed: changed.map(({ name }) => name),
    reason,
  })
  return state
}

function changedTools(
  { offered, withheld }: ToolRecord,
  { added, removed, changed, withheld: whole }: EventOf<'tools.changed'>,
): ToolRecord {
  const gone = new Set(removed.map(({ name }) => name))
  const other = new Map(changed.map((each) => [each.name, each]))
  const isNew = new Set(added.map(({ name }) => name))
  return {
    offered: [
      ...offered
        .filter(({ name }) => !gone.has(name) && !isNew.has(name))
        .map((each) => other.get(each.name) ?? each),
      ...added,
    ],
    withheld: whole ?? withheldAfter(withheld, { added, removed }),
  }
}

/** What is withheld after a change that does not list it. */
export function withheldAfter(
  before: ToolRecord['withheld'],
  { added, removed }: Pick<EventOf<'tools.changed'>, 'added' | 'removed'>,
): ToolRecord['withheld'] {
  const moved = new Set([...added, ...removed].map(({ name }) => name))
  return [
    ...before.filter(({ name }) => !moved.has(name)),
    ...removed.flatMap(({ name, withheld: by }) => (by === undefined ? [] : [{ name, ...by }])),
  ]
}
