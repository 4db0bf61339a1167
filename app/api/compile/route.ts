/** `POST /api/compile`: a drawing to its config, without storing anything. */
import { compileRequest } from '#lib/http/compile'
import { ok, readJson, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) => ok(app.compile((await readJson(request, compileRequest)).graph)),
})
