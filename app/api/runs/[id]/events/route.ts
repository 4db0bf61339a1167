/** `GET /api/runs/:id/events`: every event, as a stream that resumes anywhere, or whole as JSON. */
import { nothing, route } from '#lib/api/route'
import { readPosition, streamHead, streamRun, wantsStream, wholeRun } from '#lib/api/stream'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param, request, url }) => {
    const { id: runId, seq, finishedAt } = app.runs.get(param('id'))
    if (!wantsStream(request, true)) return wholeRun(app, { runId, signal: request.signal })
    const header = request.headers.get('last-event-id')
    const after = readPosition({ runId, header, query: url.searchParams.get('after'), seq })
    if (finishedAt !== null && after === seq) return nothing()
    if (request.method === 'HEAD') return streamHead()
    return streamRun(app, { runId, after, signal: request.signal })
  },
})
