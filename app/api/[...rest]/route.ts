/** Whatever is not a route of the API: told as JSON, like every other failure. */
import { missing, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: missing,
  POST: missing,
  PUT: missing,
  PATCH: missing,
  DELETE: missing,
})
