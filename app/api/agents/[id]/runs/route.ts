/**
 * `POST /api/agents/{id}/runs`: begins a run; a caller that asks for an event stream gets it in the answer.
 */
import { handlers } from '#lib/api/handlers'
import { beginRun } from '#lib/api/routes/agents'

export const dynamic = 'force-dynamic'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = handlers([beginRun])
