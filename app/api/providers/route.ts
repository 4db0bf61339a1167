/** `/api/providers`: where models are reached, and whether each has what it needs. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok(app.providers.list()),
})
