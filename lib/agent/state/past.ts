/** What a run did before: the same call is known again by its tool and its arguments, in whatever order their keys came. */
import { jsonKey } from '#lib/spec/json'
import type { BoundPolicy, CallPast } from '#lib/spec/policy'
import type { CallState, RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { covers } from '../limits'

/** Equal for calls of one tool with equal arguments; unreadable arguments count as they were written. */
export function callKey({ name, args, rawArgs }: Pick<CallState, 'name' | 'args' | 'rawArgs'>): string {
  return `${name}\n${args === undefined ? rawArgs : jsonKey(args)}`
}

/** What a policy is told of the run before a call; counted only when it looks. */
export type PastOf = (policy: BoundPolicy) => CallPast

/**
 * Reads the counters that the fold keeps. Which tools a policy covers is found once for a policy.
 * @param hasUploads whether a person has put files into the thread up to now
 * @returns for a call, under each form its arguments have had, what each policy is told
 */
export function createPast(
  state: RunState,
  tools: readonly BoundTool[],
  hasUploads?: () => boolean,
): (keys: () => ReadonlySet<string>) => PastOf {
  const covered = new WeakMap<BoundPolicy, ReadonlySet<string> | 'all'>()
  const scopeOf = (policy: BoundPolicy) => {
    const known = covered.get(policy) ?? scope(policy, tools)
    covered.set(policy, known)
    return known
  }
  const begun = toolsBegun(state, tools)
  return (keys) => (policy) => ({
    get failed() {
      // Most runs have no failure, and the forms of long arguments take long to make.
      if (state.failures.size === 0) return 0
      let failed = 0
      for (const key of keys()) failed += state.failures.get(key) ?? 0
      return failed
    },
    get started() {
      return total(state.toolCounts, scopeOf(policy))
    },
    get startedInStep() {
      return total(state.steps.at(-1)?.toolCounts ?? new Map(), scopeOf(policy))
    },
    get begun() {
      return begun()
    },
    hasFiles: (state.start.files?.length ?? 0) > 0,
    get hadFiles() {
      return state.start.earlier?.files === true || hasUploads?.() === true
    },
  })
}

type Begun = CallPast['begun']

/** Tools by the names that stand in dialogue and counters; one that is no more is known by its name alone. */
function toolsBegun(state: RunState, tools: readonly BoundTool[]): () => Begun {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const names = new Set<string>()
  let begun: Begun = []
  let isHeard = false
  return () => {
    const before = names.size
    if (!isHeard) for (const name of namesBefore(state)) names.add(name)
    isHeard = true
    for (const name of state.toolCounts.keys()) names.add(name)
    if (names.size > before)
      begun = [...names].map((name) => byName.get(name) ?? { scopeName: name, source: '' })
    return begun
  }
}

/**
 * Those used in the thread before the run, also where its dialogue no longer holds their results, since answers and files
 * may come from them; and those whose results the run found in its dialogue.
 */
function namesBefore({ start, calls }: RunState): string[] {
  const told = start.history.flatMap((each) => (each.role === 'tool' ? [each.name] : []))
  const copied = [...calls.values()].filter((each) => each.copied && each.startedAt !== undefined)
  return [...(start.earlier?.tools ?? []), ...told, ...copied.map(({ name }) => name)]
}

function scope(policy: BoundPolicy, tools: readonly BoundTool[]): ReadonlySet<string> | 'all' {
  if (policy.appliesTo === undefined) return 'all'
  return new Set(tools.filter((tool) => covers(policy, tool)).map((tool) => tool.name))
}

function total(counts: ReadonlyMap<string, number>, names: ReadonlySet<string> | 'all'): number {
  let sum = 0
  for (const [name, count] of counts) if (names === 'all' || names.has(name)) sum += count
  return sum
}
