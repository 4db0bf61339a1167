/** `GET /api/artifacts/:id`: a kept file, to save. */
import { download } from '#lib/api/download'
import { route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app, param }) => download(await app.artifacts.open(param('id'))),
})
