/** `/api/databases`: the SQLite files that tools may read. */

import { ok, readJson, route } from '#lib/api/route'
import { registerDatabase } from '#lib/wire/databases'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.databases.list()),
  PUT: async ({ app, request }) => ok(app.databases.register(await readJson(request, registerDatabase))),
})
