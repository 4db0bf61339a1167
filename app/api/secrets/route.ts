/** `GET /api/secrets`: which secrets there are and where they may go; never what they are. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.secrets.list()),
})
