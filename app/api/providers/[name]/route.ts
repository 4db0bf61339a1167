/** `/api/providers/:name`: sets a provider's address and key, or adds an OpenAI-compatible endpoint; forgets it. */
import { saveProvider } from '#lib/http/providers'
import { nothing, ok, readJson, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PUT: async ({ app, request, param }) =>
    ok(app.providers.save(param('name'), await readJson(request, saveProvider))),
  DELETE: ({ app, param }) => {
    app.providers.remove(param('name'))
    return nothing()
  },
})
