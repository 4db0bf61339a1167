import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createJavascript } from './javascript'
import { childPids, memoryFiles, runIn, textOf, untilGone, watchChildren } from './javascript.fixture'
import { type Attack, bombs, escapes } from './javascript-attacks.fixture'
import { osSandbox } from './os-sandbox'

vi.setConfig({ testTimeout: 40_000 })

const secret = randomBytes(12).toString('hex')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'canary-'))
const file = path.join(folder, 'canary.txt')
let hits = 0
const listener = net.createServer((socket) => {
  hits += 1
  socket.destroy()
})

beforeAll(async () => {
  fs.writeFileSync(file, secret)
  process.env.SECRET_CANARY = secret
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  delete process.env.SECRET_CANARY
  listener.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A short time limit for attacks that would never end. */
const limitOf = ({ outcome }: Attack) => ('code' in outcome && outcome.code === 'timeout' ? 1_500 : 20_000)

const hasSandbox = (await osSandbox()) !== undefined

// Bombs meet the limits of QuickJS and of its process, which are the same in both kinds,
// so they run in one only.
const kinds = [
  { kind: 'in the system’s sandbox', sandbox: osSandbox, runs: hasSandbox, meetsBombs: false },
  { kind: 'in a process alone', sandbox: async () => undefined, runs: true, meetsBombs: true },
]

describe.each(kinds)('foreign JavaScript $kind', ({ sandbox, runs, meetsBombs }) => {
  const port = createJavascript(sandbox)
  const children = watchChildren()
  afterAll(() => {
    port.close()
    children.stop()
  })
  const args = () => {
    const address = listener.address()
    return { file, port: typeof address === 'object' && address !== null ? address.port : 0 }
  }

  async function attempt({ source, outcome }: Attack, timeoutMs: number): Promise<void> {
    const files = memoryFiles({ 'in.txt': 'inside' })
    const { answer, log } = await runIn(port, source, { args: args(), files, timeoutMs })
    const { written: _written, ...told } = answer
    if ('value' in outcome) expect(told).toEqual({ ok: true, value: outcome.value })
    else if ('code' in outcome) expect(told).toMatchObject({ ok: false, code: outcome.code })
    else {
      expect(told).toMatchObject({ ok: false, code: 'javascript_error' })
      if (!answer.ok) expect(answer.message.startsWith(outcome.error), answer.message).toBe(true)
    }
    expect(JSON.stringify(answer) + log).not.toContain(secret)
    expect(JSON.stringify(answer) + log).not.toMatch(/node_modules|file:\/\/|\.mjs/)
    expect(hits).toBe(0)
  }

  it.runIf(runs).concurrent.each(escapes)('T5 stays inside: $name', (attack) => attempt(attack, 20_000))

  it.runIf(meetsBombs).each(bombs)('T53 S0-23 outlives a bomb: $name', (bomb) => attempt(bomb, limitOf(bomb)))

  it.runIf(runs)(
    'T5 neither the attacks nor the bombs left a process, or a mark on what comes after',
    async () => {
      expect(
        (
          await runIn(port, 'return [await files.read("a.txt"), typeof globalThis.a]', {
            files: memoryFiles({ 'a.txt': 'b' }),
          })
        ).answer,
      ).toEqual({
        ok: true,
        value: ['b', 'undefined'],
        written: [],
      })
      port.close()
      expect(await untilGone(children.living)).toEqual([])
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
    },
  )

  it.runIf(runs)('T52 a flood of output is told up to its bound, and counted', async () => {
    const before = process.memoryUsage().rss
    const line = 'x'.repeat(1_000)
    const { answer, log } = await runIn(
      port,
      `for (let n = 0; n < 20000; n++) console.log('${line}'); return 'done'`,
    )
    expect(answer).toMatchObject({ ok: true, value: 'done' })
    expect(Buffer.byteLength(log)).toBeLessThan(257 * 1024)
    expect(log).toMatch(/\n\(19\d{3} more lines were printed\)\n$/)
    const endless = await runIn(port, `for (;;) console.log('${line}'.repeat(100))`, { timeoutMs: 1_500 })
    expect(endless.answer).toMatchObject({ ok: false, code: 'timeout' })
    expect(Buffer.byteLength(endless.log)).toBeLessThan(257 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it.runIf(runs && fs.existsSync('/proc/self'))('T43 the child has no variable of ours', async () => {
    const running = runIn(port, 'await new Promise((go) => setTimeout(go, 1200))')
    const environments: string[] = []
    for (let n = 0; n < 10; n++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      environments.push(...childPids().map((pid) => textOf(`/proc/${pid}/environ`)))
    }
    await running
    expect(environments.length).toBeGreaterThan(0)
    for (const each of environments) {
      expect(each).not.toContain(secret)
      expect(each.replace(/^(PWD|OLDPWD|_|SHLVL)=[^\0]*\0?/gm, '')).not.toMatch(/PATH=|HOME=|KEY|TOKEN/)
    }
  })
})
