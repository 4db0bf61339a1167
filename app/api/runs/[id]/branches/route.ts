/** `GET /api/runs/:id/branches`: the tree of runs that were forked from one another. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.runs.branches(param('id'))),
})
