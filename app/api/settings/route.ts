/** `/api/settings`: what the server tells of itself, and the prices a person keeps there. */
import { ok, readJson, route } from '#lib/api/route'
import { saveSettings } from '#lib/wire/settings'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: async ({ app }) => ok(await app.settings()),
  PUT: async ({ app, request }) => ok(await app.saveSettings(await readJson(request, saveSettings))),
})
