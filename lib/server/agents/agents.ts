/**
 * Agents: drawn or imported, saved with errors, exported byte for byte, published, removed and brought back.
 */
import { randomBytes } from 'node:crypto'
import { AppError } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'
import type { AgentRow, AgentStore, VersionRow } from '#lib/spec/store'
import type {
  AgentList,
  AgentView,
  CreateAgent,
  ImportedAgent,
  SaveAgent,
  VersionList,
  VersionView,
} from '#lib/wire/agents'
import {
  type AgentsContext,
  columnsOf,
  type Draft,
  draftOf,
  draftOfConfig,
  draftOfGraph,
  toView,
  viewOf,
} from './agent-draft'
import { freeName, nameOf, withName, withTitle } from './agent-name'
import { createSummaries, toVersion } from './agent-summary'

/** Agents as the API shows them. All methods throw AppErrors. */
export interface Agents {
  list(): AgentList
  get(id: string): AgentView
  create(body: CreateAgent): AgentView
  /** `value` is the parsed content of the file. */
  importFile(value: JsonValue, options: { rename: boolean }): ImportedAgent
  save(id: string, body: SaveAgent): AgentView
  /** A removed agent can be brought back for thirty days; its runs are kept in any case. */
  remove(id: string): void
  /** Uses the next free name when its own is taken. */
  bringBack(id: string): AgentView
  /** A copy under the next free name. */
  duplicate(id: string): AgentView
  /** The canonical bytes, and a file name. */
  exported(id: string): { text: string; fileName: string }
  versions(id: string): VersionList
  publish(id: string, at: { revision?: number }): VersionView
  restore(id: string, version: number, at: { revision?: number }): AgentView
}

export function createAgents(context: AgentsContext): Agents {
  const { store, clock } = context
  const summaries = createSummaries(store, context.catalog, context.parts)
  return {
    list: () => ({ items: summaries() }),
    get: (id) => viewOf(context, rowOf(store, id)),
    create: (body) => insert(context, draftOf(context, body)),
    importFile: (value, { rename }) => {
      const draft = draftOfConfig(context, value)
      const name = nameOf(draft.graph)
      const isFree = name === undefined || !store.hasName(name)
      const wanted = isFree || !rename ? draft : renameDraft(context, draft, name)
      return { ...insert(context, wanted), lacks: [...wanted.compiled.lacks] }
    },
    save: (id, body) => save(context, { id, revision: body.revision, draft: draftOf(context, body) }),
    remove: (id) => {
      if (!store.remove(id, clock.now())) throw missing()
    },
    bringBack: (id) => bringBack(context, id),
    duplicate: (id) => duplicate(context, rowOf(store, id)),
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

/**
 * Inserts a new agent. Its name must be free; a drawing without a name gets a free one based on `unnamed`.
 */
function insert(context: AgentsContext, draft: Draft, unnamed = 'untitled'): AgentView {
  const { store, clock } = context
  const at = clock.now()
  const name = nameOf(draft.graph) ?? freeIn(store, unnamed)
  const row: AgentRow = {
    ...columnsOf(context, draft),
    id: `agent_${randomBytes(10).toString('hex')}`,
    name,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  }
  if (!store.insert(row)) throw nameTakenError(store, name)
  return toView(row, draft)
}

function renameDraft(context: AgentsContext, { graph, found }: Draft, name: string): Draft {
  return draftOfGraph(context, withName(graph, freeIn(context.store, name)), found)
}

function duplicate(context: AgentsContext, row: AgentRow): AgentView {
  const copy = withTitle(row.graph, (title) => `${title.replace(/ \(copy\)$/, '').slice(0, 190)} (copy)`)
  const name = nameOf(copy)
  const graph = name === undefined ? copy : withName(copy, freeIn(context.store, name))
  return insert(context, draftOfGraph(context, graph), row.name)
}

/** An agent that is not removed is returned as it is, so that a repeated request does no harm. */
function bringBack(context: AgentsContext, id: string): AgentView {
  const { store, clock } = context
  const outcome = store.bringBack(id)
  if (outcome !== 'name_taken') return viewOf(context, rowOf(store, id))
  const row = store.removed(id)
  if (row === undefined) throw missing()
  const name = freeIn(store, row.name)
  // A drawing that this version cannot read must not be changed.
  if (row.problem !== undefined) throw nameTakenError(store, row.name)
  const draft = draftOfGraph(context, withName(row.graph, name))
  const named = {
    ...row,
    ...columnsOf(context, draft),
    name,
    revision: row.revision + 1,
    updatedAt: clock.now(),
  }
  store.bringBack(id, named)
  return toView(named, draft)
}

function freeIn(store: AgentStore, wanted: string): string {
  return freeName(wanted, (other) => store.hasName(other))
}

interface Save {
  readonly id: string
  /** The revision that the caller has seen. */
  readonly revision: number
  readonly draft: Draft
}

function save(context: AgentsContext, { id, revision, draft }: Save): AgentView {
  const { store, clock } = context
  const before = rowOf(store, id)
  const row: AgentRow = {
    ...columnsOf(context, draft),
    id,
    // A drawing without a valid name keeps the name that the agent had.
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
      throw nameTakenError(store, row.name)
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

/** The saved drawing. Throws `not_found`. */
export function drawingOf(store: AgentStore, id: string): GraphDocument {
  return rowOf(store, id).graph
}

/** Throws for an unreadable row as well: saving over it would lose what is stored. */
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
  throw new AppError('not_compiled', `${row.name} has errors in its drawing. Fix them first.`, {
    diagnostics,
  })
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such agent; it may have been deleted.')
}

function nameTakenError(store: AgentStore, name: string): AppError {
  const free = freeIn(store, name)
  return new AppError('name_taken', `The name ${name} is taken by another agent; ${free} is free.`, {
    path: 'name',
    free,
  })
}

function stale(context: AgentsContext, row: AgentRow): AppError {
  const message = `${row.name} was changed elsewhere in the meantime; it is now at revision ${row.revision}.`
  return new AppError('stale_revision', message, { current: viewOf(context, row) })
}
