import fs from 'node:fs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { createJavascript } from './javascript'
import { childPids, runIn, textOf, watchChildren } from './javascript.fixture'
import { escapes } from './javascript-attacks.fixture'
import { expectNoTrace, plantCanary } from './javascript-canary.fixture'
import { osSandbox } from './os-sandbox'

vi.setConfig({ testTimeout: 40_000 })

const canary = plantCanary()
const hasSandbox = (await osSandbox()) !== undefined

const kinds = [
  { kind: 'in the system’s sandbox', sandbox: osSandbox, runs: hasSandbox, tried: escapes },
  {
    kind: 'in a process alone',
    sandbox: async () => undefined,
    runs: true,
    // Where the system’s sandbox runs them all, a quick run tries one of each three again.
    tried: isDeep || !hasSandbox ? escapes : escapes.filter((_, index) => index % 3 === 0),
  },
]

describe.each(kinds)('foreign JavaScript $kind', ({ sandbox, runs, tried }) => {
  const port = createJavascript(sandbox)
  const children = watchChildren()
  afterAll(() => {
    port.close()
    children.stop()
  })

  it.runIf(runs).concurrent.each(tried)('T5 stays inside: $name @deep', (attack) =>
    canary.attempt(port, attack, 20_000),
  )

  it.runIf(runs)('T5 the attacks left no process, and no mark on what comes after', () =>
    expectNoTrace(port, children.living),
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
      expect(each).not.toContain(canary.secret)
      expect(each.replace(/^(PWD|OLDPWD|_|SHLVL)=[^\0]*\0?/gm, '')).not.toMatch(/PATH=|HOME=|KEY|TOKEN/)
    }
  })
})
