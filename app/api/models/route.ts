/** `GET /api/models`: the models that providers with all they need have listed. */
import { ok, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app }) => ok(await app.providers.models()),
})
