/** `POST /api/agents/:id/dry-run`: what would become of a call, asked of the agent's policies without running it. */

import { ok, readJson, route } from '#lib/api/route'
import { dryRunRequest } from '#lib/wire/dry-run'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) =>
    ok(await app.dryRun(param('id'), await readJson(request, dryRunRequest))),
})
