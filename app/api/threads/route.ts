/** `/api/threads`: dialogues, the last one used first; a new empty one. */
import { ok, readJson, readQuery, route } from '#lib/api/route'
import { createThread, threadQuery } from '#lib/wire/threads'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, url }) => {
    const { agent, ...rest } = readQuery(url, threadQuery)
    return ok(app.threads.list({ ...rest, agentId: agent }))
  },
  POST: async ({ app, request }) => ok(app.threads.create(await readJson(request, createThread)), 201),
})
