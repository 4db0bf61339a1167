/** `/api/threads/:id/files`: what stands in the thread's workspace; a file given to it, as plain bytes. */

import { incoming } from '#lib/api/download'
import { ok, readQuery, route } from '#lib/api/route'
import { uploadQuery } from '#lib/wire/artifacts'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app, param }) => ok(await app.files.list(param('id'))),
  POST: async ({ app, param, request, url }) => {
    const { name } = readQuery(url, uploadQuery)
    return ok(await app.files.upload(param('id'), { name, content: incoming(request) }), 201)
  },
})
