/** `GET /api/templates`: agents to begin with. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.templates),
})
