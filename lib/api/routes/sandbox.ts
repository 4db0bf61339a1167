/** The walls around foreign code: JavaScript, shell scripts and Python. */
import { sandboxView } from '#lib/wire/sandbox'
import { row } from '../row'

export const sandbox = [
  row('GET /api/sandbox', {
    does: 'Returns the wall that confines each kind of foreign code, and what the tests of the walls have shown. The first request tests them, for each kind until one holds.',
    gives: { 200: sandboxView },
    handle: ({ app }) => app.sandbox(),
  }),
  row('POST /api/sandbox/test', {
    does: 'Tests every wall again. The next code runs behind the strongest one that holds.',
    gives: { 200: sandboxView },
    handle: ({ app }) => app.testSandbox(),
  }),
] as const
