/**
 * Prints how long a large drawing takes to open, to be fitted into view, to be tidied up, and to go back by undo, as
 * ratios to a drawing of 50 cards, with the longest task of each.
 */
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from '../../lib/setup/find-chromium.mjs'
import { startServer } from '../product/contenders.mjs'

const rounds = Number(process.env.ROUNDS ?? 3)
const sizes = (process.env.SIZES ?? '50,150,400').split(',').map(Number)
/** The folder of a checkout that is installed and built. */
const folder = path.resolve(process.env.CHECKOUT ?? `${import.meta.dirname}/../..`)
/** A gesture has ended when nothing in the drawing has changed for this long. */
const quietMs = 400

// Nothing is sent to the address of the model.
const server = await startServer('large', folder, { base: 'http://127.0.0.1:4321/v1' })
const browser = await chromium.launch({
  executablePath: findChromium(chromium.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
})

console.log(`${rounds} rounds, 1440×900; medians, and the longest task of all rounds\n`)
console.log('| gesture | cards | time | ratio | longest task | its work |')
console.log('|---|---|---|---|---|---|')
const taken = new Map()
for (const size of sizes) {
  const agent = await scattered(size)
  for (let round = 0; round <= rounds; round++) {
    const measured = await openAndUse(agent.id)
    await scatter(agent)
    // The first round warms up the server and the browser's cache.
    if (round === 0) continue
    for (const [gesture, one] of Object.entries(measured))
      taken.set(`${gesture} ${size}`, [...(taken.get(`${gesture} ${size}`) ?? []), one])
  }
}
for (const gesture of ['opening', 'fit all', 'tidy', 'undo']) {
  for (const size of sizes) {
    const all = taken.get(`${gesture} ${size}`)
    const [ms, first] = [all, taken.get(`${gesture} ${sizes[0]}`)].map((some) =>
      median(some.map((one) => one.ms)),
    )
    const [task, work] = ['task', 'work'].map((key) => Math.max(...all.map((one) => one[key])))
    const cells = [
      gesture,
      size,
      `${ms.toFixed(0)} ms`,
      (ms / first).toFixed(2),
      ...[task, work].map((one) => `${one.toFixed(0)} ms`),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
}
await browser.close()
await server.close()

/** Half of the cards are tools, and each of the others is a policy of one of them. */
async function scattered(size) {
  const half = Math.floor((size - 2) / 2)
  const id = await server.create({
    name: `large-${size}`,
    model: { provider: 'scripted', name: 'script', turns: [{ text: 'Nothing.' }] },
    tools: Array.from({ length: half }, (_, n) => ({
      use: 'code',
      name: `part_${n}`,
      description: `Part ${n}.`,
      source: 'return 1',
    })),
    policies: Array.from({ length: size - 2 - half }, (_, n) => ({
      use: 'results',
      appliesTo: [`part_${n % half}`],
      maxChars: 1_000 + n,
    })),
  })
  const agent = { id, address: `${server.url}/api/agents/${id}` }
  await scatter(agent)
  return agent
}

async function scatter({ address }) {
  const { revision, graph } = await (await fetch(address)).json()
  const nodes = graph.nodes.map((each, n) => ({
    ...each,
    at: { x: ((n * 131) % 300) * 16, y: ((n * 71) % 200) * 16 },
  }))
  const body = JSON.stringify({ revision, graph: { ...graph, nodes } })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(address, { method: 'PUT', headers, body })
  if (!response.ok) throw new Error(await response.text())
}

async function openAndUse(id) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(() => {
    localStorage.setItem('loopwright:tour', 'left')
    window.lastChange = 0
    new MutationObserver((changes) => {
      if (changes.some(({ target }) => target instanceof Element && target.closest('[data-canvas]')))
        window.lastChange = performance.now()
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const page = await context.newPage()
  const address = `${server.url}/agents/${id}`
  const opening = await measure(page, async () => {
    await page.goto(address)
    await page.waitForSelector('.react-flow__edge', { state: 'attached' })
    // From the moment that the data has arrived.
    return page.evaluate(
      (end) => performance.getEntriesByType('resource').find(({ name }) => name.endsWith(end)).responseEnd,
      `/api/agents/${id}`,
    )
  })
  await page.locator('[data-canvas]').click({ position: { x: 8, y: 8 } })
  await page.keyboard.press('0')
  await settle(page)
  const button = async (name) => {
    const { x, y, width, height } = await page.getByRole('button', { name, exact: true }).boundingBox()
    return async () => {
      const began = await page.evaluate(() => performance.now())
      await page.mouse.click(x + width / 2, y + height / 2)
      return began
    }
  }
  const fit = await measure(page, await button('Fit all in view'))
  const tidy = await measure(page, await button('Tidy up'))
  const undo = await measure(page, await button('Undo'))
  await page.getByText('Saved').waitFor()
  await context.close()
  return { opening, 'fit all': fit, tidy, undo }
}

/** `act` returns when it began, in the time of the page. */
async function measure(page, act) {
  await browser.startTracing(page, { categories: ['toplevel'] })
  const began = await act()
  const ended = await settle(page)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8'))
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`
  const pages = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter(
    (each) => each.name === 'ThreadControllerImpl::RunTask' && pages.has(threadOf(each)),
  )
  const longest = (key) => Math.max(...tasks.map((each) => each[key] ?? 0)) / 1_000
  return { ms: ended - began, task: longest('dur'), work: longest('tdur') }
}

/** Waits until the drawing no longer changes, and returns when it last did. */
async function settle(page) {
  await page.waitForTimeout(quietMs)
  await page.waitForFunction((quiet) => performance.now() - window.lastChange > quiet, quietMs)
  return page.evaluate(() => window.lastChange)
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}
