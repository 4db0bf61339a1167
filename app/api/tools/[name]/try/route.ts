/** `POST /api/tools/:name/try`: runs one tool by hand. */
import { ok, readJson, route } from '#lib/api/route'
import { tryTool } from '#lib/wire/tools'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  POST: async ({ app, param, request }) => {
    const { args } = await readJson(request, tryTool)
    return ok(await app.tryTool({ name: param('name'), args, signal: request.signal }))
  },
})
