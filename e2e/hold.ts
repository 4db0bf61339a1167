/** Requests kept from the server, as on a slow way there: what a person does meanwhile comes first. */
import type { Page, Route } from '@playwright/test'

export interface Held {
  /** How many requests wait. */
  count(): number
  /** They go on, and none after them waits. */
  release(): Promise<void>
}

/** Keeps requests of this method from the server until they are let go. */
export async function hold(page: Page, url: string | RegExp, method: string): Promise<Held> {
  const waiting: Route[] = []
  let isHeld = true
  await page.route(url, (route) => {
    if (!isHeld || route.request().method() !== method) return route.fallback()
    waiting.push(route)
  })
  return {
    count: () => waiting.length,
    async release() {
      isHeld = false
      for (const route of waiting) await route.continue().catch(() => undefined)
    },
  }
}
