/** `GET /api/catalog`: every part as data. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.catalog),
})
