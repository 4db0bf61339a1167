/** A server that is killed leaves no program of an MCP server behind once it has started again. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { at } from '#lib/setup/place.mjs'
import { bundleFixture } from './bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
let place: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  program = await bundleFixture('runs/mcp-kill')
})
afterAll(() => program.remove())
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => {
  for (const pid of pidsIn(log())) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  place.remove()
})

const log = () => path.join(place.folder, 'pids')

/** The program of the MCP server and the process that it started. */
function pidsIn(file: string): number[] {
  if (!existsSync(file)) return []
  return [...readFileSync(file, 'utf8').matchAll(/^(?:start|child) (\d+)$/gm)].map(([, pid]) => Number(pid))
}

function isAlive(pid: number): boolean {
  try {
    // A process that has ended stays until its parent has read how.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** One life of the server, killed when it prints `killAt`. Returns what it printed. */
async function life(args: readonly string[], killAt?: string): Promise<string> {
  const child = spawn(process.execPath, [program.file, path.join(place.folder, 'data'), ...args], {
    // Without PATH there is no sandbox, which would end the program together with the server.
    env: { NODE_ENV: 'test', PATH: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (killAt !== undefined && printed.includes(killAt)) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  expect(signal).toBe(killAt === undefined ? null : 'SIGKILL')
  return printed
}

test.skipIf(process.platform !== 'linux')(
  'T54 kill -9 of the server in mid-call leaves no MCP program behind after the next start',
  async () => {
    await life(['begin', at('e2e', 'mcp-servers', 'misbehaving.mjs'), log()], '"call.started"')
    const left = pidsIn(log())
    expect(left).toHaveLength(2)
    // The program may end with its input; the process that it started does not.
    expect(isAlive(left[1] ?? 0)).toBe(true)

    await life(['again'], 'started')
    await expect.poll(() => left.map(isAlive)).toEqual([false, false])

    const printed = await life(['again'])
    expect(printed).toContain('"run.finished"')
    expect(printed).toContain('"status":"unknown"')
    await expect.poll(() => pidsIn(log()).filter(isAlive)).toEqual([])
    expect(readdirSync(path.join(place.folder, 'data/mcp/.processes'))).toEqual([])
  },
  60_000,
)
