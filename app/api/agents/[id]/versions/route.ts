/** `/api/agents/:id/versions`: what was published, and publishing what stands now. */

import { ok, readOptional, route } from '#lib/api/route'
import { atRevision } from '#lib/wire/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.agents.versions(param('id'))),
  POST: async ({ app, param, request }) =>
    ok(app.agents.publish(param('id'), await readOptional(request, atRevision)), 201),
})
