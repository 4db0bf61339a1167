/** `GET /api/runs/:id/requests/:step`: what the model was sent at that step. */
import { ok, readNumber, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app, param }) => {
    const step = readNumber(param('step'), 'There is no such step.')
    return ok(await app.runs.request(param('id'), step))
  },
})
