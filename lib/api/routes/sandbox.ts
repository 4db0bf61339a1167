/** The walls around foreign code: JavaScript, shell scripts and Python. */
import { sandboxQuery, sandboxView } from '#lib/wire/sandbox'
import { wallPackageList } from '#lib/wire/wall-packages'
import { bytes, row } from '../row'

export const sandbox = [
  row('GET /api/sandbox', {
    does: 'Returns the wall that confines each kind of foreign code, and what the tests of the walls have shown. The first request tests them, for each kind until one holds. With `kind`, only walls of that kind are tested and returned.',
    query: sandboxQuery,
    gives: { 200: sandboxView },
    handle: ({ app, query }) => app.sandbox(query.kind),
  }),
  row('POST /api/sandbox/test', {
    does: 'Tests every wall again. The next code runs behind the strongest one that holds.',
    gives: { 200: sandboxView },
    handle: ({ app }) => app.testSandbox(),
  }),
  row('GET /api/sandbox/packages', {
    does: 'Lists the programs that can be installed for the sandbox, with installations under way.',
    gives: { 200: wallPackageList },
    handle: ({ app }) => app.wallPackages.list(),
  }),
  row('POST /api/sandbox/packages/{name}', {
    does: 'Begins to download and install a package from the registry that npm is set up with. The list shows how far it is.',
    gives: { 202: wallPackageList },
    handle: ({ app, params }) => app.wallPackages.install(params.name),
  }),
  row('POST /api/sandbox/packages/{name}/file', {
    does: 'Installs a package from its archive, the body.',
    body: bytes,
    gives: { 200: wallPackageList },
    handle: ({ app, params, body }) => app.wallPackages.installFrom(params.name, body),
  }),
  row('POST /api/sandbox/packages/{name}/cancel', {
    does: 'Stops the installation of a package. Nothing of it is left.',
    gives: { 200: wallPackageList },
    handle: ({ app, params }) => app.wallPackages.cancel(params.name),
  }),
  row('DELETE /api/sandbox/packages/{name}', {
    does: 'Removes an installed package.',
    gives: { 200: wallPackageList },
    handle: ({ app, params }) => app.wallPackages.remove(params.name),
  }),
] as const
