/**
 * How long the page blocks a person: the longest task of its main thread, including layout and painting of a
 * frame.
 */
import { expect, type Page, test } from '@playwright/test'

declare global {
  interface Window {
    longTasks?: number[]
    /** Of each time that the drawing changed in the document: how many cards and wires did. */
    drawnAtOnce?: { readonly cards: number; readonly wires: number }[]
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

/** Makes every page opened from now on count the cards and wires that are rendered, moved or marked together. */
export async function noteDrawn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted: { cards: number; wires: number }[] = []
    window.drawnAtOnce = noted
    const countOf = (what: string, changes: readonly MutationRecord[]) => {
      const found = new Set<Element>()
      for (const { target, addedNodes } of changes) {
        const holder = target instanceof Element ? target.closest(what) : null
        if (holder !== null) found.add(holder)
        for (const each of holder === null ? [...addedNodes] : []) {
          if (!(each instanceof Element)) continue
          for (const one of each.matches(what) ? [each] : each.querySelectorAll(what)) found.add(one)
        }
      }
      return found.size
    }
    // Called once after each task that changed something.
    const observer = new MutationObserver((changes) => {
      const [cards, wires] = [countOf('.react-flow__node', changes), countOf('.react-flow__edge', changes)]
      if (cards + wires > 0) noted.push({ cards, wires })
    })
    observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['class', 'style', 'd', 'data-face', 'data-selected'],
    })
  })
}

/** The most cards and wires that were rendered, moved or marked together since the last call. */
export function mostDrawnAtOnce(page: Page): Promise<{ cards: number; wires: number }> {
  return page.evaluate(() => {
    const noted = window.drawnAtOnce?.splice(0) ?? []
    return {
      cards: Math.max(0, ...noted.map(({ cards }) => cards)),
      wires: Math.max(0, ...noted.map(({ wires }) => wires)),
    }
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
