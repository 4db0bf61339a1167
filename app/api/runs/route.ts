/** `GET /api/runs`: runs, newest first, by agent, status or thread. */
import { ok, readQuery, route } from '#lib/api/route'
import { runQuery } from '#lib/wire/runs'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, url }) => {
    const { agent, thread, ...rest } = readQuery(url, runQuery)
    return ok(app.runs.list({ ...rest, agentId: agent, threadId: thread }))
  },
})
