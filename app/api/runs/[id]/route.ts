/** `GET /api/runs/:id`: one run, with the config it started from. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.runs.get(param('id'))),
})
