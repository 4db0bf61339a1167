/** `GET /api/agents/:id/export`: the canonical bytes as a file. */
import { file, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => file(app.agents.exported(param('id'))),
})
