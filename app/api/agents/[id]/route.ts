/** `/api/agents/:id`: one agent, saved over the revision the caller has seen. */

import { nothing, ok, readJson, route } from '#lib/api/route'
import { saveAgent } from '#lib/wire/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.agents.get(param('id'))),
  PUT: async ({ app, param, request }) =>
    ok(app.agents.save(param('id'), await readJson(request, saveAgent))),
  DELETE: ({ app, param }) => {
    app.agents.remove(param('id'))
    return nothing()
  },
})
