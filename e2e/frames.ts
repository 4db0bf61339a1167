/**
 * How long the page blocks a person: the longest task of its main thread, including layout and painting of a
 * frame.
 */
import { expect, type Page, test } from '@playwright/test'

declare global {
  interface Window {
    longTasks?: number[]
  }
}

export interface Bounds {
  /** Milliseconds of CPU time, which are the same on a busy machine. */
  readonly work: number
  /** Milliseconds of wall-clock time. */
  readonly clock: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Microseconds of CPU time. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** Makes every page opened from now on record its long tasks, in milliseconds. */
export async function noteLongTasks(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: number[] = []
    window.longTasks = noted
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.push(entry.duration)
    }).observe({ type: 'longtask', buffered: true })
  })
}

/** Does something on the page, and expects that meanwhile no task of the page takes longer than this. */
export async function expectSmooth(
  page: Page,
  what: string,
  { work, clock }: Bounds,
  act: () => Promise<unknown>,
): Promise<void> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page has no browser to trace')
  await longestOnClock(page)
  await browser.startTracing(page, { categories: ['toplevel'] })
  let took: Bounds
  try {
    await act()
  } finally {
    const onClock = await longestOnClock(page)
    took = { work: longestWork(await browser.stopTracing()), clock: onClock }
  }
  test.info().annotations.push({
    type: 'longest task',
    description: `${what}: ${took.work} ms of work, ${took.clock} ms on the clock`,
  })
  expect.soft(took.work, `${what}: work of the longest task, ms`).toBeLessThan(work)
  expect.soft(took.clock, `${what}: the longest task on the clock, ms`).toBeLessThan(clock)
}

function longestOnClock(page: Page): Promise<number> {
  // New content is laid out and painted in the next frames, and recorded in a task after them.
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const read = () => resolve(Math.round(Math.max(0, ...(window.longTasks?.splice(0) ?? []))))
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(read, 50)))
      }),
  )
}

function longestWork(trace: Buffer): number {
  // cast: the format of Chromium's own traces
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter(
    (each) => each.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(each)),
  )
  // Without any task, the page was not measured at all.
  expect(tasks.length).toBeGreaterThan(0)
  return Math.round(Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000)
}
