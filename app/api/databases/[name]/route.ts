/** `DELETE /api/databases/:name`: forgets a registered database; the file stays. */
import { nothing, route } from '#lib/api/route'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  DELETE: ({ app, param }) => {
    app.databases.remove(param('name'))
    return nothing()
  },
})
