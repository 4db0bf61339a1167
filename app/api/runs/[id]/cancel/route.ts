/** `POST /api/runs/:id/cancel`: ends a run; asked again it is the same answer. */

import { ok, readOptional, route } from '#lib/api/route'
import { emptyBody } from '#lib/wire/empty'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    await readOptional(request, emptyBody)
    return ok(app.runs.cancel(param('id')))
  },
})
