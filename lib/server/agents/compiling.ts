/** Compiles and decompiles drawings on this server, and adds what only the server knows to be missing. */
import { type Compiled, compile } from '#lib/graph/compile'
import { decompile } from '#lib/graph/decompile'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentConfig, Parts } from '#lib/spec/config'
import { AppError, type Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { DecompiledView } from '#lib/wire/compile'
import { productParts } from '../parts'
import { readConfig } from './catalog'
import { type Available, readiness } from './readiness'

/** A compiled drawing, checked against this server. */
export interface CheckedDrawing extends Compiled {
  /** What its config names and this server lacks, on the nodes that name it; also part of the diagnostics. */
  readonly lacks: readonly Diagnostic[]
}

export interface Compiling {
  compile(graph: GraphDocument): CheckedDrawing
  /** What this server lacks of what a config names, apart from the agents that it calls. */
  lacksOf(config: AgentConfig): Diagnostic[]
  /** Throws `invalid_config`, with the path of the first error, when the value is not a config. */
  decompile(value: JsonValue): DecompiledView
}

export function createCompiling({
  catalog,
  parts = productParts,
  available,
}: {
  catalog: Catalog
  /** Default: the parts of the product. */
  parts?: Parts
  available(): Available
}): Compiling {
  return {
    compile: (graph) => {
      const compiled = compile(graph, catalog)
      if (compiled.config === null) return { ...compiled, lacks: [] }
      const read = readConfig(compiled.config, parts)
      if (!read.ok) return unfit(compiled, read.error)
      const errors = entryErrors(read.value, parts)
      if (errors.length > 0) return unfit(compiled, errors)
      const lacks = onNodes(readiness(read.value, available(), parts), compiled)
      return { ...compiled, lacks, diagnostics: [...compiled.diagnostics, ...lacks] }
    },
    lacksOf: (config) => {
      const { findAgent: _, ...others } = available()
      return readiness(config, others, parts)
    },
    decompile: (value) => {
      const read = readConfig(value, parts)
      if (!read.ok) throw unreadable(read.error)
      const config = value as JsonObject // cast: only objects pass the config schema
      const { graph, diagnostics } = decompile(config, catalog)
      if (diagnostics.some((each) => each.severity === 'error')) throw unreadable(diagnostics)
      return { graph, diagnostics }
    },
  }
}

/** What the toolkits find wrong with their entries, beyond what a schema can say. */
function entryErrors({ tools }: AgentConfig, { toolkits }: Parts): Diagnostic[] {
  return tools.flatMap((entry, index) => {
    const faults = toolkits.find(({ id }) => id === entry.use)?.check?.(entry) ?? []
    return faults
      .filter(({ severity }) => severity === 'error')
      .map((each) => ({ ...each, path: `tools/${index}/${each.path}` }))
  })
}

/**
 * For problems that only a part finds in its settings, such as an invalid pattern: the
 * compiler checks JSON schemas only.
 */
function unfit(compiled: Compiled, found: readonly Diagnostic[]): CheckedDrawing {
  const diagnostics = [...onNodes(found, compiled), ...compiled.diagnostics]
  return { ...compiled, config: null, text: null, lacks: [], diagnostics }
}

/** Puts each diagnostic on the node that its path names. */
function onNodes(found: readonly Diagnostic[], { origins }: Compiled): Diagnostic[] {
  return found.map((each) => {
    // The path of an entry has one segment (`model`) or, in a list, two (`tools/0`).
    const [first = '', second = ''] = each.path?.split('/') ?? []
    const node = origins[first] ?? origins[`${first}/${second}`]
    return node === undefined ? each : { ...each, node }
  })
}

function unreadable(diagnostics: readonly Diagnostic[]): AppError {
  const first = diagnostics.find((each) => each.severity === 'error')
  const path = first?.path
  const where = path === undefined ? '' : ` (at ${path})`
  const message = `This is not an agent config that Loopwright can read${where}: ${first?.message ?? 'it does not have the expected form.'}`
  return new AppError('invalid_config', message, { ...(path !== undefined && { path }), diagnostics })
}
