/** `POST /api/runs/:id/approvals/:callId`: a person's word on a call that waits; said again it is the same answer. */
import { ok, readJson, route } from '#lib/api/route'
import { decideCall } from '#lib/wire/runs'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    const said = await readJson(request, decideCall)
    return ok(await app.runs.decide(param('id'), param('callId'), said))
  },
})
