/**
 * Measures the trace while events arrive, compared with the same page at rest: frame times of scrolling,
 * alternating.
 */
import { chromium } from '@playwright/test'
import { servePage } from '../../e2e/serve-page.mjs'
import { findChromium } from '../../lib/setup/find-chromium.mjs'

const events = Number(process.env.EVENTS ?? 10_000)
const perSecond = Number(process.env.RATE ?? 1_000)
const rounds = Number(process.env.ROUNDS ?? 6)
const seconds = Number(process.env.SECONDS ?? 4)

const served = await servePage(`${import.meta.dirname}/page.tsx`)
const browser = await chromium.launch({
  executablePath: findChromium(chromium.executablePath()),
  args: ['--no-sandbox', '--disable-gpu'],
})

/**
 * Scrolls up and down through the rows for a while; returns frame times in milliseconds and how many events
 * arrived.
 */
async function measure(rate) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 600 } })
  page.on('pageerror', (error) => console.error(error.message))
  await page.goto(`${served.url}/?events=${events}`)
  await page.waitForFunction(() => document.querySelectorAll('[role="row"]').length > 10)
  await page.waitForTimeout(500)
  const inspector = await page.context().newCDPSession(page)
  await inspector.send('Performance.enable')
  const worked = async () => {
    const { metrics } = await inspector.send('Performance.getMetrics')
    return 1_000 * (metrics.find((each) => each.name === 'TaskDuration')?.value ?? 0)
  }
  const before = await worked()
  const taken = await page.evaluate(
    ({ rate, seconds }) =>
      new Promise((resolve) => {
        const body = document.querySelector('[role="treegrid"]')
        const end = rate > 0 ? window.bench.feed(rate) : () => 0
        const frames = []
        let by = -60
        let last = null
        const begun = performance.now()
        const next = (now) => {
          if (last !== null) frames.push(now - last)
          last = now
          if (body.scrollTop <= 0) by = 60
          else if (body.scrollTop > 30_000) by = -60
          body.scrollTop += by
          if (now - begun < seconds * 1_000) requestAnimationFrame(next)
          else resolve({ frames, told: end() })
        }
        body.scrollTop = 20_000
        requestAnimationFrame(next)
      }),
    { rate, seconds },
  )
  const work = ((await worked()) - before) / taken.frames.length
  await page.close()
  return { ...taken, work }
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

console.log(
  `${events} events at first, then ${perSecond} a second; 1440×600, ${rounds} rounds of ${seconds} s, by turns\n`,
)
const all = { idle: [], live: [] }
let told = 0
const work = { idle: [], live: [] }
for (let round = 0; round < rounds; round++) {
  const idle = await measure(0)
  const live = await measure(perSecond)
  // The first round warms up the browser.
  if (round === 0) continue
  all.idle.push(...idle.frames)
  all.live.push(...live.frames)
  told += live.told
  work.idle.push(idle.work)
  work.live.push(live.work)
  const [a, b] = [percentile(idle.frames, 0.99), percentile(live.frames, 0.99)]
  console.log(
    `round ${round}: p99 idle ${a.toFixed(1)} ms, live ${b.toFixed(1)} ms, ratio ${(b / a).toFixed(2)}`,
  )
}
console.log('\n| | p50 | p95 | p99 | worst | frames over 50 ms |')
console.log('|---|---|---|---|---|---|')
for (const [name, frames] of Object.entries(all)) {
  const cells = [0.5, 0.95, 0.99, 1].map((share) => `${percentile(frames, share).toFixed(1)} ms`)
  console.log(
    `| ${name} | ${cells.join(' | ')} | ${frames.filter((each) => each > 50).length} of ${frames.length} |`,
  )
}
const ratio = (share) => (percentile(all.live, share) / percentile(all.idle, share)).toFixed(2)
console.log(`| ratio | ${ratio(0.5)} | ${ratio(0.95)} | ${ratio(0.99)} | | |`)
const [idleWork, liveWork] = [work.idle, work.live].map((each) => percentile(each, 0.5))
console.log(
  `\nwork of the main thread for a frame: idle ${idleWork.toFixed(1)} ms, live ${liveWork.toFixed(1)} ms (medians of rounds)`,
)
console.log(`${told} events came in ${(rounds - 1) * seconds} s of scrolling`)
await browser.close()
await served.close()
