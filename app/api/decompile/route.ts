/** `POST /api/decompile`: a config to its drawing, without storing anything. */

import { ok, readJson, route } from '#lib/api/route'
import { decompileRequest } from '#lib/wire/compile'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) => ok(app.decompile((await readJson(request, decompileRequest)).config)),
})
