/** Drawings: compile and decompile them, and the catalog of their parts. Nothing here is stored. */
import { authorityRequest, authorityView } from '#lib/wire/authority'
import { catalogView } from '#lib/wire/catalog'
import { compiled, compileRequest, decompiled, decompileRequest } from '#lib/wire/compile'
import { row } from '../row'

export const drawing = [
  row('POST /api/compile', {
    does: 'Compiles a drawing to its config. Nothing is stored.',
    body: compileRequest,
    gives: { 200: compiled },
    handle: ({ app, body }) => app.compile(body.graph),
  }),
  row('POST /api/decompile', {
    does: 'Converts a config back to a drawing. Nothing is stored.',
    body: decompileRequest,
    example: { config: { name: 'greeter', instructions: 'Greet the user.' } },
    gives: { 200: decompiled },
    handle: ({ app, body }) => app.decompile(body.config),
  }),
  row('POST /api/authority', {
    does: 'Returns what the agent of a drawing may do: the tools it is offered, the tools that are withheld and why, and its limits.',
    body: authorityRequest,
    gives: { 200: authorityView },
    handle: ({ app, body }) => app.authority(body.graph),
  }),
  row('GET /api/catalog', {
    does: 'Returns every part (node kind) as data.',
    gives: { 200: catalogView },
    handle: ({ app }) => app.catalog,
  }),
] as const
