/** `/api/providers/:name`: sets a provider's address and key, or adds an OpenAI-compatible endpoint; forgets it. */

import { nothing, ok, readJson, route } from '#lib/api/route'
import { saveProvider } from '#lib/wire/providers'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PUT: async ({ app, request, param }) =>
    ok(app.providers.save(param('name'), await readJson(request, saveProvider))),
  DELETE: ({ app, param }) => {
    app.providers.remove(param('name'))
    return nothing()
  },
})
