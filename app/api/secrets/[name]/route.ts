/** `/api/secrets/:name`: writes a secret or where it may go, or forgets it. */
import { nothing, ok, readJson, route } from '#lib/api/route'
import { saveSecret } from '#lib/wire/secrets'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  PUT: async ({ app, request, param }) =>
    ok(app.secrets.save(param('name'), await readJson(request, saveSecret))),
  DELETE: ({ app, param }) => {
    app.secrets.remove(param('name'))
    return nothing()
  },
})
