/** `POST /api/runs/:id/fork`: begins a run that goes on from a step of this one, changed where asked. */
import { ok, readJson, route } from '#lib/api/route'
import { type CreatedRun, forkRun } from '#lib/wire/runs'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    const { id, threadId, status } = await app.runs.fork(param('id'), await readJson(request, forkRun))
    return ok({ id, threadId, status } satisfies CreatedRun, 201)
  },
})
