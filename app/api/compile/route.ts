/** `POST /api/compile`: a drawing to its config, without storing anything. */

import { ok, readJson, route } from '#lib/api/route'
import { compileRequest } from '#lib/wire/compile'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) => ok(app.compile((await readJson(request, compileRequest)).graph)),
})
