/** `POST /api/agents/:id/dry-run`: what would become of a call, asked of the agent's policies without running it. */
import { dryRunRequest } from '#lib/http/dry-run'
import { ok, readJson, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) =>
    ok(await app.dryRun(param('id'), await readJson(request, dryRunRequest))),
})
