/** Agents: drawn or imported, saved with their errors, exported byte for byte, published as versions. */
import { randomBytes } from 'node:crypto'
import { canonicalForHash } from '#lib/graph/canonical'
import type { Compiled } from '#lib/graph/compile'
import { normalize } from '#lib/graph/normalize'
import type { AgentSummary, AgentView, SaveAgent, VersionView } from '#lib/http/agents'
import type { Catalog } from '#lib/spec/catalog'
import { AppError, type Diagnostic } from '#lib/spec/errors'
import { emptyGraph, type GraphDocument } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import { freeName, nameOf, withName } from './agent-name'
import { readConfig } from './catalog'
import type { Compiling } from './compiling'
import type { Agents } from './loopwright'
import { sha256 } from './run-config'

interface AgentsContext {
  readonly store: AgentStore
  readonly catalog: Catalog
  readonly compiling: Compiling
  readonly clock: { now(): number }
}

/** A drawing in its one form, with all that follows from it. */
interface Draft {
  readonly graph: GraphDocument
  readonly compiled: Compiled
  /** What was found on the way to the drawing: an imported canvas that did not fit. */
  readonly found: readonly Diagnostic[]
}

export function createAgents(context: AgentsContext): Agents {
  const { store } = context
  const problemIn = createProblems()
  return {
    list: () => {
      const versions = store.newestVersions()
      const items = store.list().map((row) => toSummary(row, versions.get(row.id) ?? null, problemIn(row)))
      return { items }
    },
    get: (id) => viewOf(context, rowOf(store, id)),
    create: (body) => insert(context, draftOf(context, body)),
    importFile: (value, { rename }) => {
      const draft = draftOfConfig(context, value)
      const name = nameOf(draft.graph)
      if (name === undefined || store.byName(name) === undefined || !rename) return insert(context, draft)
      const free = freeName(name, (other) => store.byName(other) !== undefined)
      return insert(context, draftOfGraph(context, withName(draft.graph, free), draft.found))
    },
    save: (id, body) => save(context, { id, revision: body.revision, draft: draftOf(context, body) }),
    remove: (id) => {
      if (!store.remove(id)) throw missing()
    },
    exported: (id) => {
      const row = rowOf(store, id)
      return { text: compiledOf(context, row).config, fileName: `${row.name}.json` }
    },
    versions: (id) => ({ items: store.versions(rowOf(store, id).id).map(toVersion) }),
    publish: (id, { revision }) => publish(context, id, revision),
    restore: (id, version, { revision }) => {
      const row = rowOf(store, id)
      const published = store.version(row.id, version)
      if (published === undefined) throw new AppError('not_found', `${row.name} has no version ${version}.`)
      const draft = draftOfGraph(context, published.graph)
      return save(context, { id, revision: revision ?? row.revision, draft })
    },
  }
}

/** A new agent and nothing more; the name it wants must be free. */
function insert(context: AgentsContext, draft: Draft): AgentView {
  const { store, clock } = context
  const at = clock.now()
  const name = nameOf(draft.graph) ?? freeName('untitled', (other) => store.byName(other) !== undefined)
  const row: AgentRow = {
    ...columnsOf(context, draft),
    id: `agent_${randomBytes(10).toString('hex')}`,
    name,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  }
  if (!store.insert(row)) throw taken(store, name)
  return toView(row, draft)
}

interface Save {
  readonly id: string
  /** The revision the caller has seen. */
  readonly revision: number
  readonly draft: Draft
}

function save(context: AgentsContext, { id, revision, draft }: Save): AgentView {
  const { store, clock } = context
  const before = rowOf(store, id)
  const row: AgentRow = {
    ...columnsOf(context, draft),
    id,
    // A drawing that says no name, or an impossible one, keeps the name it had.
    name: nameOf(draft.graph) ?? before.name,
    revision: revision + 1,
    createdAt: before.createdAt,
    updatedAt: clock.now(),
  }
  const outcome = store.update(row)
  switch (outcome) {
    case 'saved':
      return toView(row, draft)
    case 'missing':
      throw missing()
    case 'name_taken':
      throw taken(store, row.name)
    case 'stale':
      throw stale(context, before)
  }
  return outcome satisfies never
}

function publish(context: AgentsContext, id: string, revision: number | undefined): VersionView {
  const { store, clock } = context
  const row = rowOf(store, id)
  if (revision !== undefined && revision !== row.revision) throw stale(context, row)
  const { config, configHash } = compiledOf(context, row)
  const version: VersionRow = {
    agentId: id,
    version: (store.versions(id)[0]?.version ?? 0) + 1,
    graph: row.graph,
    config,
    configHash,
    origins: row.origins,
    createdAt: clock.now(),
  }
  store.insertVersion(version)
  return toVersion(version)
}

function draftOf(context: AgentsContext, { graph, config }: Pick<SaveAgent, 'graph' | 'config'>): Draft {
  if (config !== undefined) return draftOfConfig(context, config)
  return draftOfGraph(context, graph ?? emptyGraph)
}

function draftOfGraph(
  context: AgentsContext,
  graph: GraphDocument,
  found: readonly Diagnostic[] = [],
): Draft {
  const normal = normalize(graph, context.catalog).graph
  return { graph: normal, compiled: context.compiling.compile(normal), found }
}

function draftOfConfig(context: AgentsContext, value: JsonValue): Draft {
  const { graph, diagnostics } = context.compiling.decompile(value)
  return draftOfGraph(context, graph, diagnostics)
}

function columnsOf({ catalog }: AgentsContext, { graph, compiled }: Draft) {
  const { config, text, origins } = compiled
  const agent = graph.nodes.find((node) => node.kind === 'agent')?.config ?? {}
  const words = (value: JsonValue | undefined) => (typeof value === 'string' ? value.slice(0, 1_024) : '')
  return {
    title: words(agent.title),
    description: words(agent.description),
    graph,
    config: text,
    configHash: config === null ? null : sha256(canonicalForHash(config, catalog.schema)),
    origins,
  }
}

/** Throws for a row that can not be read as well: whoever saved over it would lose what is stored. */
function rowOf(store: AgentStore, id: string): AgentRow {
  const row = store.get(id)
  if (row === undefined) throw missing()
  if (row.problem !== undefined) throw new AppError('unprocessable', `${row.name}: ${row.problem}`)
  return row
}

/** The stored config. Throws `not_compiled` with the diagnostics while the drawing has errors. */
function compiledOf({ compiling }: AgentsContext, row: AgentRow): { config: string; configHash: string } {
  const { config, configHash } = row
  if (config !== null && configHash !== null) return { config, configHash }
  const { diagnostics } = compiling.compile(row.graph)
  throw new AppError('not_compiled', `${row.name} has errors in its drawing; mend them first.`, {
    diagnostics,
  })
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such agent; it may have been deleted.')
}

function taken(store: AgentStore, name: string): AppError {
  const free = freeName(name, (other) => store.byName(other) !== undefined)
  return new AppError('name_taken', `Another agent is called ${name}; ${free} is free.`, {
    path: 'name',
    free,
  })
}

function stale(context: AgentsContext, row: AgentRow): AppError {
  const message = `${row.name} was changed elsewhere in the meantime; it now stands at revision ${row.revision}.`
  return new AppError('stale_revision', message, { current: viewOf(context, row) })
}

function viewOf({ compiling }: AgentsContext, row: AgentRow): AgentView {
  return toView(row, { graph: row.graph, compiled: compiling.compile(row.graph), found: [] })
}

function toView({ id, name, revision }: AgentRow, { graph, compiled, found }: Draft): AgentView {
  const { config, diagnostics, origins } = compiled
  return { id, name, graph, config, diagnostics: [...found, ...diagnostics], origins, revision }
}

/** Why a stored config can not be run: it was written by a version that knew parts this one lacks. Answers are kept by hash. */
function createProblems(): (row: AgentRow) => string | undefined {
  const known = new Map<string, string | undefined>()
  return ({ config, configHash, problem }) => {
    if (config === null || configHash === null) return problem
    if (!known.has(configHash)) {
      if (known.size > 10_000) known.clear()
      known.set(configHash, problemOf(config))
    }
    return known.get(configHash)
  }
}

function problemOf(config: string): string | undefined {
  try {
    const read = readConfig(JSON.parse(config))
    const [first] = read.ok ? [] : read.error
    if (first === undefined) return undefined
    const where = first.path === undefined ? '' : ` (at ${first.path})`
    return `This version of Loopwright can not run it${where}: ${first.message}`
  } catch {
    return 'The stored config is no JSON.'
  }
}

function toSummary(row: AgentRow, version: number | null, problem: string | undefined): AgentSummary {
  const { id, name, title, description, revision, configHash, createdAt, updatedAt } = row
  return {
    id,
    name,
    title,
    description,
    revision,
    runnable: row.config !== null && problem === undefined,
    ...(problem !== undefined && { problem }),
    configHash,
    version,
    graph: row.graph,
    createdAt,
    updatedAt,
  }
}

function toVersion({ version, configHash, config, createdAt }: VersionRow): VersionView {
  return { version, configHash, config: JSON.parse(config), createdAt }
}
