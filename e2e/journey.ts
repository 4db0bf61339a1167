/** The `test` of every journey: each worker has a server and a data folder of its own, so that journeys run side by side. */
import { test as base } from '@playwright/test'
import { type OwnServer, ownServer } from './own-server'

interface PerWorker {
  /** Runs for as long as the worker. A worker ends with the first test that fails, so a second try has a new server. */
  readonly server: OwnServer
}

export const test = base.extend<object, PerWorker>({
  server: [
    // The unused fixture only avoids an empty pattern: Playwright reads from the pattern what a fixture needs.
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
  // The tour of the first visit has its own journey; all others are of people who know it.
  storageState: ({ server }, use) =>
    use({
      cookies: [],
      origins: [{ origin: server.url, localStorage: [{ name: 'loopwright:tour', value: 'left' }] }],
    }),
})
