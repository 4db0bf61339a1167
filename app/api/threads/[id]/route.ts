/** `/api/threads/:id`: one dialogue with its runs, renamed; removing it removes them and its files. */
import { nothing, ok, readJson, route } from '#lib/api/route'
import { renameThread } from '#lib/wire/threads'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app, param }) => ok(app.threads.get(param('id'))),
  PUT: async ({ app, param, request }) => {
    const { title } = await readJson(request, renameThread)
    return ok(app.threads.rename(param('id'), title))
  },
  DELETE: async ({ app, param }) => {
    await app.threads.remove(param('id'))
    return nothing()
  },
})
