/** `/api/threads/:id`: one dialogue with its runs; removing it removes them and its files. */
import { nothing, ok, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.threads.get(param('id'))),
  DELETE: async ({ app, param }) => {
    await app.threads.remove(param('id'))
    return nothing()
  },
})
