/** `POST /api/decompile`: a config to its drawing, without storing anything. */
import { decompileRequest } from '#lib/http/compile'
import { ok, readJson, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) => ok(app.decompile((await readJson(request, decompileRequest)).config)),
})
