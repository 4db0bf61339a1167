/** `GET /api/runs/:id/events`: every event, as a stream that resumes anywhere, or whole as JSON. */
import { nothing, ok, route } from '#lib/http/route'
import type { EventList } from '#lib/http/runs'
import { readPosition, streamRun, wantsStream } from '#lib/http/stream'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param, request, url }) => {
    const { id: runId, seq, finishedAt } = app.runs.get(param('id'))
    if (!wantsStream(request, true)) return ok({ items: app.runs.events(runId) } satisfies EventList)
    const header = request.headers.get('last-event-id')
    const after = readPosition({ runId, header, query: url.searchParams.get('after'), seq })
    if (finishedAt !== null && after === seq) return nothing()
    return streamRun(app, { runId, after, signal: request.signal })
  },
})
