import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from './runs/bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('hostile-schemas')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/**
 * An idle server answers within milliseconds; without limits these schemas block it for minutes or forever.
 */
const longestAnswer = 4_000

it.runIf(isDeep)(
  'whatever schemas and values a server is given, it answers meanwhile and stops when it is told to @deep',
  async () => {
    const child = spawn(process.execPath, [program.file, place.folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = new Promise((resolve) => child.once('close', resolve))
    try {
      let said = ''
      const heard = (words: string) =>
        new Promise<void>((resolve, reject) => {
          const look = () => said.includes(words) && resolve()
          child.stdout.on('data', look)
          void gone.then(() => reject(new Error(`the server has ended: ${said}`)))
          look()
        })
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      await heard('\n')
      const port = /port (\d+)/.exec(said)?.[1]
      let isOver = false
      const attacked = heard('round 0').finally(() => {
        isOver = true
      })
      let slowest = 0
      const asked = (async () => {
        while (!isOver) {
          const before = performance.now()
          const answer = await fetch(`http://127.0.0.1:${port}/api/health`, {
            signal: AbortSignal.timeout(20_000),
          })
          await answer.text()
          slowest = Math.max(slowest, performance.now() - before)
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      })()
      await Promise.all([attacked, asked])
      expect(slowest).toBeLessThan(longestAnswer)

      // The second round has begun, so the signal arrives in the middle of the work.
      const before = performance.now()
      child.kill('SIGTERM')
      expect(await gone).toBe(0)
      expect(performance.now() - before).toBeLessThan(8_000)
      console.info(
        `slowest answer ${Math.round(slowest)} ms, stopped after ${Math.round(performance.now() - before)} ms`,
      )
    } finally {
      child.kill('SIGKILL')
    }
  },
  120_000,
)
