/** Composes the web port of tools: the guarded fetch, and a reader of pages in a separate process. */

import { readPage } from '#lib/sandbox/page'
import type { WebPort } from '#lib/spec/sandbox'
import { createGuardedFetch } from '#lib/web/guarded-fetch'

/** @param allow `host:port` pairs that tools may reach although they are private */
export function createWeb(allow: readonly string[]): WebPort & { close(): Promise<void> } {
  const { fetch, close } = createGuardedFetch({ allow })
  return { fetch, readable: readPage, close }
}
