/** `POST /api/agents/:id/duplicate`: a copy under the next free name. */

import { ok, readOptional, route } from '#lib/api/route'
import { emptyBody } from '#lib/wire/empty'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    await readOptional(request, emptyBody)
    return ok(app.agents.duplicate(param('id')), 201)
  },
})
