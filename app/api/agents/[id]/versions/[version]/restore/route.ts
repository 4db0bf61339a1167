/** `POST /api/agents/:id/versions/:version/restore`: a published drawing becomes the draft again. */

import { ok, readNumber, readOptional, route } from '#lib/api/route'
import { atRevision } from '#lib/wire/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    const version = readNumber(param('version'), 'There is no such version.')
    return ok(app.agents.restore(param('id'), version, await readOptional(request, atRevision)))
  },
})
