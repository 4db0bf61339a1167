/**
 * Holds requests back from the server, as on a slow connection, so that a person can act before the answers.
 */
import type { Page, Request, Route } from '@playwright/test'

export interface Held {
  /** The number of requests held back. */
  count(): number
  /** Resolves once the page is calm, apart from the held requests. */
  calm(): Promise<void>
  /** Sends the held requests, holds no more, and resolves once the page has processed their answers. */
  release(): Promise<void>
}

/** Holds requests of this method back from the server until they are released. */
export async function hold(page: Page, url: string | RegExp, method: string): Promise<Held> {
  const waiting: Route[] = []
  let isHeld = true
  const calmBut = followRequests(page)
  await page.route(url, (route) => {
    if (!isHeld || route.request().method() !== method) return route.fallback()
    waiting.push(route)
  })
  return {
    count: () => waiting.length,
    calm: () => calmBut(() => waiting.map((route) => route.request())),
    async release() {
      isHeld = false
      for (const route of waiting) await route.continue().catch(() => undefined)
      await calmBut()
    },
  }
}

/**
 * Resolves once the page has rendered several frames with no request under way, apart from event streams and
 * these.
 */
export type CalmBut = (these?: () => readonly Request[]) => Promise<void>

/** Tracks the page's requests from now on. */
export function followRequests(page: Page): CalmBut {
  const underWay = new Set<Request>()
  page.on('request', (request) => {
    if (!isStream(request)) underWay.add(request)
  })
  page.on('requestfinished', (request) => underWay.delete(request))
  page.on('requestfailed', (request) => underWay.delete(request))
  return async (these = () => []) => {
    for (let calmFrames = 0; calmFrames < 6; ) {
      await nextFrame(page)
      const left = these()
      calmFrames = [...underWay].some((each) => !left.includes(each)) ? 0 : calmFrames + 1
    }
  }
}

function isStream(request: Request): boolean {
  return request.resourceType() === 'eventsource' || /event-stream/.test(request.headers().accept ?? '')
}

function nextFrame(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}
