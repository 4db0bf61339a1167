/**
 * Everything listed under Problems: findings of the drawing, findings that only the server can make, and a
 * name that is taken. Pure.
 */

import { ApiError } from '#components/data/client'
import type { SaveState } from '#components/drawing/autosave'
import { writeConfig } from '#lib/graph/canonical'
import type { Compiled } from '#lib/graph/compile'
import { isAgent, kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import type { AgentView } from '#lib/wire/agents'

/** A setting that only the part itself can check, such as a pattern. */
const unfitCode = 'invalid_value'
/** Codes that cannot be derived from the drawing alone. */
const serverCodes = new Set([
  'key_missing',
  'endpoint_missing',
  'database_missing',
  'secret_missing',
  'price_unknown',
  unfitCode,
])

/** Settings that the server refused at the last save; they are shown under their fields. */
export function refusedSettings(view: AgentView | null): readonly Diagnostic[] {
  return (view?.diagnostics ?? []).filter(({ code }) => code === unfitCode)
}

/**
 * What the stored drawing compiles to in this browser, read from what the server compiled it to. Undefined if
 * the server refused a setting, because it then has no config, while the browser compiles one.
 */
export function compiledByServer(view: AgentView): Compiled | undefined {
  if (refusedSettings(view).length > 0) return undefined
  const { config, origins } = view
  const diagnostics = view.diagnostics.filter(({ code }) => !serverCodes.has(code))
  return { config, text: config === null ? null : writeConfig(config), diagnostics, origins }
}

export function findingsOf({
  drawn,
  view,
  save,
  graph,
  catalog,
}: {
  drawn: readonly Diagnostic[]
  /** The agent as the server last returned it; its findings apply until the next save. */
  view: AgentView | null
  save: SaveState
  graph: GraphDocument
  catalog: Catalog
}): readonly Diagnostic[] {
  const ids = new Set(graph.nodes.map(({ id }) => id))
  const lacks = (view?.diagnostics ?? []).filter(
    ({ code, node }) => serverCodes.has(code) && (node === undefined || ids.has(node)),
  )
  const taken = takenName(save, graph, catalog)
  return lacks.length + taken.length === 0 ? drawn : [...taken, ...drawn, ...lacks]
}

function takenName(save: SaveState, graph: GraphDocument, catalog: Catalog): Diagnostic[] {
  if (save.at !== 'failed' || !(save.error instanceof ApiError) || save.error.code !== 'name_taken') return []
  const agent = graph.nodes.find(({ kind }) => isAgent(kindOf(catalog, kind)))
  const message = `${save.error.message} Nothing is saved until it has another name.`
  return [
    {
      severity: 'error',
      code: 'name_taken',
      message,
      path: 'name',
      ...(agent !== undefined && { node: agent.id }),
    },
  ]
}
