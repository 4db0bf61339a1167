/** Opens the OpenAPI documents of a data folder for another program than its server, while no server uses it. */
import { readOpenapi } from '#lib/sandbox/openapi'
import type { Result } from '#lib/spec/errors'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import { systemClock } from '../clock'
import { withDataStores } from './data-stores'
import { createOpenapiDocuments, type OpenapiDocuments } from './openapi-documents'

interface DocumentPlace {
  readonly data: string
  /** `host:port` pairs that may be reached although they are private. */
  readonly allowHosts: readonly string[]
}

/** The error is one sentence; the documents themselves throw AppErrors. */
export async function withDataDocuments<T>(
  { data, allowHosts }: DocumentPlace,
  use: (documents: OpenapiDocuments) => T | Promise<T>,
): Promise<Result<T, string>> {
  const instead = 'Add and remove its documents under Settings → APIs'
  const web = createGuardedFetch({ allow: [...allowHosts] })
  try {
    return await withDataStores({ data, instead }, ({ settings, agents }) => {
      const { now } = systemClock
      return use(createOpenapiDocuments({ settings, folder: data, agents, web, read: readOpenapi, now }))
    })
  } finally {
    await web.close()
  }
}
