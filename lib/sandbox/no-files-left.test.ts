import { execFile } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { bundleFixture } from '#lib/server/runs/bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('../sandbox/no-files-left')
})
afterAll(() => {
  place.remove()
  program.remove()
})

test.skipIf(process.platform === 'win32')(
  'where no more files can be opened, every process is unavailable, and the server goes on',
  async () => {
    const limited = ['-c', 'ulimit -n 512; exec "$0" "$@"', process.execPath, program.file, place.folder]
    const printed = await new Promise<string>((resolve) => {
      execFile('/bin/sh', limited, (error, stdout, stderr) =>
        resolve(error === null ? stdout : `${stdout}${stderr}`),
      )
    })
    expect(printed.trim()).toBe(JSON.stringify(new Array(5).fill('unavailable')))
  },
)
