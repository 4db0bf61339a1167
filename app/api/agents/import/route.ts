/** `POST /api/agents/import`: the body is an exported file; `?rename=1` takes the next free name. */
import { importQuery } from '#lib/http/agents'
import { ok, readJson, readQuery, route } from '#lib/http/route'
import { jsonValue } from '#lib/spec/json'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request, url }) => {
    const { rename } = readQuery(url, importQuery)
    return ok(app.agents.importFile(await readJson(request, jsonValue), { rename: rename === '1' }), 201)
  },
})
