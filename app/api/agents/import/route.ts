/** `POST /api/agents/import`: the body is an exported file; `?rename=1` takes the next free name. */

import { ok, readJson, readQuery, route } from '#lib/api/route'
import { jsonValue } from '#lib/spec/json'
import { importQuery } from '#lib/wire/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, request, url }) => {
    const { rename } = readQuery(url, importQuery)
    return ok(app.agents.importFile(await readJson(request, jsonValue), { rename: rename === '1' }), 201)
  },
})
