/** `GET /api/health`: open to all, tells nothing but that the server lives. */
import type { Health } from '#lib/http/health'
import { ok, route } from '#lib/http/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => ok({ status: 'ok', version: app.version } satisfies Health),
})
