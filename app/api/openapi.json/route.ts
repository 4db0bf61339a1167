/** `GET /api/openapi.json`: the API as it describes itself, in OpenAPI 3.1. */
import { openapi } from '#lib/api/openapi'
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(openapi(app.version, app.providers.kinds)),
})
