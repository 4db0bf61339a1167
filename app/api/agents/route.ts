/** `/api/agents`: the list, and a new agent from a drawing or a config. */

import { ok, readJson, route } from '#lib/api/route'
import { createAgent } from '#lib/wire/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.agents.list()),
  POST: async ({ app, request }) => ok(app.agents.create(await readJson(request, createAgent)), 201),
})
