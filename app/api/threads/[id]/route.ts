/** `/api/threads/:id`: one dialogue with its runs; removing it removes them. */
import { nothing, ok, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.threads.get(param('id'))),
  DELETE: ({ app, param }) => {
    app.threads.remove(param('id'))
    return nothing()
  },
})
