/** `POST /api/authority`: what the agent of a drawing may do, without starting a run. */

import { ok, readJson, route } from '#lib/api/route'
import { authorityRequest } from '#lib/wire/authority'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) =>
    ok(await app.authority((await readJson(request, authorityRequest)).graph)),
})
