/** `GET /api/threads/:id/files/<path>`: a file of the thread's workspace, to save. */
import { download } from '#lib/api/download'
import { readRest, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app, param, url }) => {
    const path = readRest(url, `/api/threads/${encodeURIComponent(param('id'))}/files/`)
    return download(await app.files.open(param('id'), path))
  },
})
