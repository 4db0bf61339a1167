/** What a run did before a call, with equal calls recognised by their tool and arguments. */
import type { OuterRun } from '#lib/spec/inner-run'
import { jsonKey } from '#lib/spec/json'
import type { BoundPolicy, CallPast } from '#lib/spec/policy'
import { knowledgeSearchName, memorySearchName } from '#lib/spec/recall'
import type { CallState, RecallState, RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { covers } from '../limits'

/** Equal for equal calls, in any order of keys. Arguments that cannot be parsed are compared as text. */
export function callKey({ name, args, rawArgs }: Pick<CallState, 'name' | 'args' | 'rawArgs'>): string {
  return `${name}\n${args === undefined ? rawArgs : jsonKey(args)}`
}

/** What a policy may know about the run before a call; computed only when the policy reads it. */
export type PastOf = (policy: BoundPolicy) => CallPast

/** For a call with all its argument forms, what each policy may know. */
export interface PastReader {
  (keys: () => ReadonlySet<string>): PastOf
  /** Every tool that has begun, in the runs around this one too. */
  begun(): CallPast['begun']
}

/**
 * Reads the counters that the fold keeps. The tools that a policy covers are computed once for each policy.
 * @param tools every tool known now; another array once they have changed
 * @param around whether a person has put files into the thread so far, and the run around this one
 */
export function createPast(
  state: RunState,
  tools: () => readonly BoundTool[],
  {
    hasUploads,
    outer,
  }: { readonly hasUploads?: (() => boolean) | undefined; readonly outer?: OuterRun } = {},
): PastReader {
  let covered = new WeakMap<BoundPolicy, ReadonlySet<string> | 'all'>()
  let over = tools()
  const scopeOf = (policy: BoundPolicy) => {
    if (over !== tools()) {
      over = tools()
      covered = new WeakMap()
    }
    const known = covered.get(policy) ?? scope(policy, over)
    covered.set(policy, known)
    return known
  }
  const own = toolsBegun(state, tools)
  const begun = () => (outer === undefined ? own() : [...outer.begun(), ...own()])
  const read = (keys: () => ReadonlySet<string>) => (policy: BoundPolicy) => ({
    get failed() {
      // Most runs have no failure, and building the forms of long arguments is slow.
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
      return state.start.earlier?.files === true || hasUploads?.() === true || outer?.hasFiles() === true
    },
  })
  return Object.assign(read, { begun })
}

type Begun = CallPast['begun']

/**
 * The tools that have begun. Counters and dialogue know a tool by its name in this run, which its entry may
 * have changed; the record of earlier runs knows it by its own name. Of a tool that no longer exists only the
 * name is known.
 */
function toolsBegun(state: RunState, tools: () => readonly BoundTool[]): () => Begun {
  const byName = new Map<string, BoundTool>()
  const byScope = new Map<string, BoundTool>()
  let listed: readonly BoundTool[] = []
  const readTools = () => {
    const now = tools()
    if (now === listed) return
    listed = now
    for (const tool of now) {
      byName.set(tool.name, tool)
      byScope.set(tool.scopeName, tool)
    }
  }
  const scopeOf = (name: string) => byName.get(name)?.scopeName ?? name
  const scopes = new Set<string>()
  let inside = 0
  let counted = 0
  let begun: Begun = []
  let isHeard = false
  return () => {
    const before = scopes.size
    readTools()
    if (!isHeard) {
      begun = textsRead(state)
      for (const scope of scopesBefore(state, scopeOf)) scopes.add(scope)
    }
    isHeard = true
    if (state.toolCounts.size > counted) for (const name of state.toolCounts.keys()) scopes.add(scopeOf(name))
    counted = state.toolCounts.size
    const within = state.begunInside?.size ?? 0
    if (scopes.size > before || within > inside)
      begun = [
        ...[...scopes].map((scope) => byScope.get(scope) ?? { scopeName: scope, source: '' }),
        ...textsRead(state),
        ...(state.begunInside?.values() ?? []),
      ]
    inside = within
    return begun
  }
}

/** Texts of servers count as results of their tools: only the toolkit `mcp` gives them. */
function textsRead({ serverTexts = [], recall = [] }: RunState): Begun {
  const texts = serverTexts.flatMap(({ server, name, text }) =>
    text === undefined ? [] : [{ scopeName: `${server}.${name}`, source: 'mcp' }],
  )
  return [...texts, ...recall.flatMap(searchedAtStart)]
}

/** What a run was given at its start counts as the result of a search by its tool. */
function searchedAtStart(given: RecallState): Begun {
  switch (given.type) {
    case 'memory.retrieved':
      return given.entries.length === 0 ? [] : [{ scopeName: memorySearchName, source: 'memory' }]
    case 'knowledge.retrieved':
      return given.passages.length === 0 ? [] : [{ scopeName: knowledgeSearchName, source: 'knowledge' }]
    case 'memory.recorded':
      return []
  }
  return given satisfies never
}

/**
 * Tools used in the thread before the run, even when its dialogue no longer holds their results, since
 * answers and files may come from them; and tools whose results were in the dialogue when the run began.
 */
function scopesBefore({ start, calls }: RunState, scopeOf: (name: string) => string): string[] {
  const told = start.history.flatMap((each) => (each.role === 'tool' ? [scopeOf(each.name)] : []))
  const copied = [...calls.values()].filter((each) => each.copied && each.startedAt !== undefined)
  const scopes = copied.map(({ name, scopeName }) => scopeName ?? scopeOf(name))
  return [...(start.earlier?.tools ?? []), ...told, ...scopes]
}

function scope(policy: BoundPolicy, tools: readonly BoundTool[]): ReadonlySet<string> | 'all' {
  if (policy.appliesTo === undefined && policy.source === undefined) return 'all'
  return new Set(tools.filter((tool) => covers(policy, tool)).map((tool) => tool.name))
}

function total(counts: ReadonlyMap<string, number>, names: ReadonlySet<string> | 'all'): number {
  let sum = 0
  for (const [name, count] of counts) if (names === 'all' || names.has(name)) sum += count
  return sum
}
