/** Every route of the API; `lib/api/routes` defines them. */
import { handlers } from '#lib/api/handlers'
import { routes } from '#lib/api/routes'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = handlers(routes)
