/** `GET /api/runs/{id}/events`: every event, as a resumable stream or as one JSON answer. */
import { handlers } from '#lib/api/handlers'
import { watchRun } from '#lib/api/routes/runs'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = handlers([watchRun])
