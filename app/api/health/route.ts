/** `GET /api/health`: open to all, tells whether the server lives and can store, and if not what is wrong. */

import { ok, route } from '#lib/api/route'
import { AppError } from '#lib/spec/errors'
import type { Health } from '#lib/wire/health'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = route({
  GET: ({ app }) => {
    const trouble = app.trouble()
    if (trouble !== undefined) throw new AppError('unavailable', trouble)
    return ok({ status: 'ok', version: app.version } satisfies Health)
  },
})
