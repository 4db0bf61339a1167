/** Drawings: compile and decompile them, and the catalog of their parts. Nothing here is stored. */
import { authorityRequest, authorityView } from '#lib/wire/authority'
import { catalogView } from '#lib/wire/catalog'
import { compiled, compileRequest, decompiled, decompileRequest } from '#lib/wire/compile'
import { row } from '../row'

export const drawing = [
  row('POST /api/compile', {
    does: 'Compiles a drawing to its config; nothing is stored.',
    body: compileRequest,
    gives: { 200: compiled },
    handle: ({ app, body }) => app.compile(body.graph),
  }),
  row('POST /api/decompile', {
    does: 'Draws a config; nothing is stored.',
    body: decompileRequest,
    example: { config: { name: 'greeter', instructions: 'Greet the user.' } },
    gives: { 200: decompiled },
    handle: ({ app, body }) => app.decompile(body.config),
  }),
  row('POST /api/authority', {
    does: 'What the agent of a drawing may do: tools it gets, what is withheld and why, limits.',
    body: authorityRequest,
    gives: { 200: authorityView },
    handle: ({ app, body }) => app.authority(body.graph),
  }),
  row('GET /api/catalog', {
    does: 'Every part as data.',
    gives: { 200: catalogView },
    handle: ({ app }) => app.catalog,
  }),
] as const
