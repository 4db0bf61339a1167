/** `POST /api/providers/:name/test`: asks a provider for its models, with values that need not be saved yet. */

import { ok, readOptional, route } from '#lib/api/route'
import { saveProvider } from '#lib/wire/providers'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request, param }) =>
    ok(await app.providers.test(param('name'), await readOptional(request, saveProvider), request.signal)),
})
