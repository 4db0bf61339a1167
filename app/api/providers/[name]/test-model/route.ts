/** `POST /api/providers/:name/test-model`: asks one model for a call in each format, and recommends one. */

import { ok, readJson, route } from '#lib/api/route'
import { testModel } from '#lib/wire/model-test'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request, param }) =>
    ok(await app.providers.testModel(param('name'), await readJson(request, testModel), request.signal)),
})
