/** `POST /api/runs/:id/cancel`: ends a run; asked again it is the same answer. */
import { emptyBody } from '#lib/http/empty'
import { ok, readOptional, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    await readOptional(request, emptyBody)
    return ok(app.runs.cancel(param('id')))
  },
})
