/**
 * The `test` of every journey: each worker has its own server and data folder, so that journeys run in
 * parallel.
 */
import { test as base } from '@playwright/test'
import { type OwnServer, ownServer } from './own-server'

interface PerWorker {
  /** Lives as long as the worker. A worker ends with the first failing test, so a retry has a new server. */
  readonly server: OwnServer
}

export const test = base.extend<object, PerWorker>({
  server: [
    // The unused fixture only avoids an empty pattern: Playwright reads a fixture's dependencies from the
    // pattern.
    async ({ browserName: _ }, use) => {
      const server = await ownServer()
      try {
        await server.start()
        await use(server)
      } finally {
        await server.dispose()
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ server }, use) => use(server.url),
  // The tour of the first visit has its own journey; in all others the person knows it already.
  storageState: ({ server }, use) =>
    use({
      cookies: [],
      origins: [{ origin: server.url, localStorage: [{ name: 'loopwright:tour', value: 'left' }] }],
    }),
})
