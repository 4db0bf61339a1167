import { afterAll, beforeAll, it } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { bundleFixture } from './bundle.fixture'
import { expectWhole, wholeRun } from './changing-lives.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  program = await bundleFixture('runs/changing-kill')
})
afterAll(() => program.remove())

it.each(['native', 'xml', 'json', 'json_fence'])(
  'tools come and go between steps, and a run stands inside a call, in the format %s',
  async (format) => expectWhole(await wholeRun({ file: program.file, format })),
  120_000,
)

it.runIf(isDeep)(
  'tools that come and go, and a run inside a call, survive a kill at each of their events @deep',
  async () => {
    const kills = ['"extra.switch"', '"tools.changed"', '"parent"', '"run.finished"']
    expectWhole(await wholeRun({ file: program.file, format: 'native', kills }))
  },
  120_000,
)
