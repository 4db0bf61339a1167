/**
 * Compares the canvas with a bare React Flow page of the same size: frame times, renders for a selection, the
 * heap.
 */
import { chromium } from '@playwright/test'
import { servePage } from '../../e2e/serve-page.mjs'
import { findChromium } from '../../lib/setup/find-chromium.mjs'
import { dragCard, framesDuring, pan, percentile, wheelZoom } from './gestures.mjs'

const nodes = Number(process.env.NODES ?? 1_000)
const edges = Number(process.env.EDGES ?? 1_500)
const rounds = Number(process.env.ROUNDS ?? 4)
/** A pan takes two seconds with a GPU and ten without: thirty pans take up to five minutes. */
const wanders = Number(process.env.PANS ?? 30)
const gestures = { pan, zoom: wheelZoom, drag: dragCard }
const views = ['work', 'whole']
/**
 * With the display's clock every time is a multiple of 16.7 ms, so near a boundary the same work counts as
 * one or two frames.
 */
const clock = process.env.CLOCK === 'display' ? [] : ['--disable-frame-rate-limit', '--disable-gpu-vsync']

const served = await servePage(`${import.meta.dirname}/page.tsx`)
const browser = await chromium.launch({
  executablePath: findChromium(chromium.executablePath()),
  args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info', '--js-flags=--expose-gc', ...clock],
})

async function open(kind, url = `${served.url}/?page=${kind}`) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  page.on('pageerror', (error) => console.error(kind, error.message))
  await page.goto(`${url}&nodes=${nodes}&edges=${edges}`)
  await page.waitForFunction(() => document.querySelector('.react-flow__edge') !== null)
  // With the grid a card does not move for most mouse moves, so the grid is off, as on the bare page.
  if (kind === 'ours') await page.getByRole('button', { name: 'Snap to the grid' }).click()
  return page
}

async function look(page, view) {
  await page.evaluate(
    (view) =>
      view === 'whole'
        ? window.bench.flow.setViewport({ x: 20, y: 40, zoom: 0.2 })
        : window.bench.flow.setViewport({ x: -1_200, y: -900, zoom: 1 }),
    view,
  )
  await page.waitForTimeout(600)
}

console.log(`${nodes} nodes, ${edges} edges, 1440×900, ${rounds} rounds, ours and bare by turns\n`)
console.log(
  '| view | gesture | bare p50 | bare p95 | ours p50 | ours p95 | ratio p50 | ratio p95 | ticks p95 |',
)
console.log('|---|---|---|---|---|---|---|---|---|')
const pages = { bare: await open('bare'), ours: await open('ours') }
for (const view of rounds > 0 ? views : []) {
  for (const page of Object.values(pages)) await look(page, view)
  for (const [name, gesture] of Object.entries(gestures)) {
    const taken = { bare: { answered: [], ticks: [] }, ours: { answered: [], ticks: [] } }
    for (let round = 0; round < rounds; round++) {
      for (const [kind, page] of Object.entries(pages)) {
        await page.bringToFront()
        await look(page, view)
        const { answered, ticks } = await framesDuring(page, () => gesture(page))
        // The first round warms up both pages.
        if (round === 0) continue
        taken[kind].answered.push(...answered)
        taken[kind].ticks.push(...ticks)
      }
    }
    const { bare, ours } = taken
    const figures = [bare, ours].flatMap(({ answered }) =>
      [0.5, 0.95].map((share) => percentile(answered, share)),
    )
    const ratio = (share, of) => (percentile(ours[of], share) / percentile(bare[of], share)).toFixed(2)
    const cells = [
      view,
      name,
      ...figures.map((each) => `${each.toFixed(1)} ms`),
      ratio(0.5, 'answered'),
      ratio(0.95, 'answered'),
      ratio(0.95, 'ticks'),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
await Promise.all(Object.values(pages).map((page) => page.close()))
await measureSelection()
await measureHeap()
await browser.close()
await served.close()

/** How many cards React renders when another card is selected: that card and the one selected before. */
async function measureSelection() {
  const counting = await servePage(`${import.meta.dirname}/page.tsx`, { isCounting: true })
  const page = await open('ours', `${counting.url}/?count&page=ours`)
  await look(page, 'work')
  const counts = []
  for (let n = 0; n < 20; n++) {
    counts.push(
      await page.evaluate(async (id) => {
        const { rendered, store } = window.bench
        rendered.length = 0
        store.getState().select({ nodes: [id] })
        await new Promise((resolve) => setTimeout(resolve, 50))
        return rendered.length
      }, `t${n}`),
    )
  }
  console.log(`\ncards rendered for a selection: at most ${Math.max(...counts)} of ${nodes}`)
  await page.close()
  await counting.close()
}

/** The heap before and after adding and removing parts and panning over the drawing. */
async function measureHeap() {
  const page = await open('ours')
  await look(page, 'work')
  const session = await page.context().newCDPSession(page)
  const heap = async () => {
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    return usedSize / 1e6
  }
  const cycles = (count) =>
    page.evaluate(async (count) => {
      const { store } = window.bench
      const before = store.getState().history.present
      for (let n = 0; n < count; n++) {
        const node = {
          id: `x${n}`,
          kind: 'tool:http',
          config: { name: `x_${n}` },
          at: { x: 1_300, y: 1_000 },
        }
        const turn = (nodes) =>
          store.getState().edit((graph) => ({ graph: { ...graph, nodes }, notes: [], added: [] }))
        turn([...before.nodes, node])
        await new Promise(requestAnimationFrame)
        turn(before.nodes)
        await new Promise(requestAnimationFrame)
      }
    }, count)
  // First as many changes as the history keeps, since it grows by design until it is full.
  await cycles(100)
  const start = await heap()
  await cycles(200)
  const afterCycles = await heap()
  for (let n = 0; n < wanders; n++) await pan(page)
  const afterPan = await heap()
  const figures = [start, afterCycles, afterPan].map((each) => `${each.toFixed(1)} MB`)
  console.log(
    `heap: ${figures[0]} at first, ${figures[1]} after 200 parts, ${figures[2]} after ${wanders} pans`,
  )
}
