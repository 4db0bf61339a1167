/** `POST /api/agents/:id/runs`: begins a run; a caller that asks for an event stream gets it at once. */
import { ok, readJson, route } from '#lib/api/route'
import { streamRun, tooManyStreams, wantsStream } from '#lib/api/stream'
import { type CreatedRun, createRun } from '#lib/wire/runs'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    const asked = await readJson(request, createRun)
    const streams = wantsStream(request, false)
    // Asked before the run exists: a refusal must leave nothing behind.
    if (streams && !app.streams.hasRoom()) throw tooManyStreams()
    const { id, threadId, status } = app.runs.create({ ...asked, agentId: param('id') })
    if (streams) return streamRun(app, { runId: id, after: 0, signal: request.signal })
    return ok({ id, threadId, status } satisfies CreatedRun, 201)
  },
})
