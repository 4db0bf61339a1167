/** `/api/session`: signs a browser in with the operator's token, and out again. */
import { ok, readJson, route } from '#lib/api/route'
import { openSession } from '#lib/wire/session'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request }) => {
    const { token } = await readJson(request, openSession)
    return ok({}, 200, { 'set-cookie': app.sessions.open(token) })
  },
  DELETE: ({ app }) => ok({}, 200, { 'set-cookie': app.sessions.close() }),
})
