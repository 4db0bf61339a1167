/**
 * The `test` of every journey: each worker has its own server and data folder, so that journeys run in
 * parallel.
 */
import { type BrowserContext, test as base, type Page } from '@playwright/test'
import { type OwnServer, ownServer } from './own-server'

interface PerTest {
  /** Whether the person has seen the tour of the first visit, which has journeys of its own. */
  readonly knowsTour: boolean
  /** For tests that change the whole context, such as its clock. */
  readonly hasOwnContext: boolean
}

interface PerWorker {
  /** Lives as long as the worker. A worker ends with the first failing test, so a retry has a new server. */
  readonly server: OwnServer
  /** The context of the worker's tests, with a page of the server that stays open. */
  readonly kept: { readonly context: BrowserContext; readonly page: Page }
}

/** Animations make the browser draw sixty frames a second, a tenth of the processor time of all journeys. */
const look = { reducedMotion: 'reduce' } as const

/**
 * Playwright's own way to reuse a context empties the browser's cache between tests, so each test would compile
 * all scripts again. Here each test has a new page, and the page that stays open keeps the process and its cache
 * alive.
 */
export const test = base.extend<PerTest, PerWorker>({
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
  knowsTour: [true, { option: true }],
  hasOwnContext: [false, { option: true }],
  kept: [
    async ({ browser, server }, use) => {
      const context = await browser.newContext({ ...look, baseURL: server.url })
      const page = await context.newPage()
      await page.goto('/icon.svg')
      await use({ context, page })
      await context.close()
    },
    { scope: 'worker' },
  ],
  context: async ({ kept, browser, server, knowsTour, hasOwnContext }, use) => {
    if (hasOwnContext) {
      const context = await browser.newContext({ ...look, baseURL: server.url })
      if (knowsTour) await context.addInitScript(() => localStorage.setItem('loopwright:tour', 'left'))
      await use(context)
      await context.close()
      return
    }
    const { context, page } = kept
    await page.evaluate((isKnown) => {
      localStorage.clear()
      if (isKnown) localStorage.setItem('loopwright:tour', 'left')
    }, knowsTour)
    await use(context)
    await Promise.all(context.pages().map((each) => (each === page ? undefined : each.close())))
    await context.unrouteAll()
    await context.clearCookies()
    await context.clearPermissions()
  },
  page: async ({ context }, use) => use(await context.newPage()),
})
