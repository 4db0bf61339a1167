/** `POST /api/providers/:name/test-model`: asks one model for a call in each format, and recommends one. */
import { testModel } from '#lib/http/model-test'
import { ok, readJson, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request, param }) =>
    ok(await app.providers.testModel(param('name'), await readJson(request, testModel), request.signal)),
})
