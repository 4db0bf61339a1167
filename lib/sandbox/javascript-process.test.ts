import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { createJavascript } from './javascript'
import { memoryFiles, runIn } from './javascript.fixture'

vi.setConfig({ testTimeout: 70_000 })

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'children-'))
const own = process.env.LOOPWRIGHT_BUNDLES
afterEach(() => {
  if (own === undefined) delete process.env.LOOPWRIGHT_BUNDLES
  else process.env.LOOPWRIGHT_BUNDLES = own
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

let count = 0
const say =
  "import fs from 'node:fs'; const say = (text) => fs.writeSync(1, text); setInterval(() => {}, 1000);"

/**
 * The answer when this program runs as the child: shows what code that has broken out of QuickJS could do.
 */
async function answerOf(program: string, timeoutMs = 15_000, files = memoryFiles()) {
  const place = path.join(folder, String(count++))
  fs.mkdirSync(place)
  fs.writeFileSync(path.join(place, 'javascript-child.mjs'), `${say}${program}`)
  process.env.LOOPWRIGHT_BUNDLES = place
  const port = createJavascript(async () => undefined)
  const told = await runIn(port, 'return 1', { timeoutMs, files })
  port.close()
  return told
}

const ready = 'say(\'{"type":"ready"}\\n\');'
const broken = {
  ok: false,
  code: 'javascript_error',
  message: 'The code broke the rules of its process, and was stopped.',
}

describe('a child that keeps to no rules', () => {
  it.each([
    ['says what is no JSON', `${ready} say('hello\\n')`],
    ['says what is unknown', `${ready} say('{"type":"shell"}\\n')`],
    ['says more than it may', `${ready} say('{"type":"done","json":"1","ports":{}}\\n')`],
    ['says nothing but one endless line', `${ready} for (;;) say('x'.repeat(1e6))`],
    ['is ready twice', `${ready} ${ready}`],
  ])('T5 is stopped when it %s', async (_, program) => {
    expect((await answerOf(program)).answer).toMatchObject(
      program.endsWith(`${ready} ${ready}`) ? { ok: false, code: 'javascript_error' } : broken,
    )
  })

  it.each([
    ['ends before it is ready', 'process.exit(3)', 'unavailable'],
    ['ends by itself', `${ready} process.exit(0)`, 'javascript_error'],
    ['is ended by the system', `${ready} process.kill(process.pid, 'SIGABRT')`, 'memory'],
    ['uses up its processor time', `${ready} process.kill(process.pid, 'SIGXCPU')`, 'timeout'],
    ['gives what is no JSON', `${ready} say('{"type":"done","json":"{"}\\n')`, 'javascript_error'],
    [
      'gives too deep a value',
      `${ready} say(JSON.stringify({ type: 'done', json: '['.repeat(5e5) }) + '\\n')`,
      'too_large',
    ],
    [
      'gives too large a value',
      `${ready} say(JSON.stringify({ type: 'done', json: '"' + 'x'.repeat(2e6) + '"' }) + '\\n')`,
      'too_large',
    ],
  ])('is told apart when it %s', async (_, program, code) => {
    expect((await answerOf(program)).answer).toMatchObject({ ok: false, code })
  })

  it('T53 is killed in time though it ignores its limits and its end', async () => {
    const from = Date.now()
    const { answer } = await answerOf(`process.on('SIGTERM', () => {}); ${ready} for (;;);`, 2_000)
    expect(answer).toMatchObject({ ok: false, code: 'timeout' })
    expect(Date.now() - from).toBeLessThan(12_000)
  })

  it('T52 may flood its log: only so much is told, and none of it is kept', async () => {
    const before = process.memoryUsage().rss
    const line = `JSON.stringify({ type: 'log', text: 'x'.repeat(1e5) }) + '\\n'`
    const { answer, log } = await answerOf(
      `${ready} const line = ${line}; for (let n = 0; n < 2000; n++) say(line); say('{"type":"done"}\\n')`,
      60_000,
    )
    expect(answer).toMatchObject({ ok: true })
    expect(Buffer.byteLength(log)).toBeLessThan(258 * 1024)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it.runIf(process.platform === 'linux')('T53 holds no more memory than it may have', async () => {
    const { answer } = await answerOf(
      `${ready} const held = []; for (;;) held.push(Buffer.alloc(1e7, 1))`,
      20_000,
    )
    expect(answer).toMatchObject({ ok: false })
    if (!answer.ok) expect(['memory', 'javascript_error']).toContain(answer.code)
  })

  it.runIf(isDeep)('T53 is not answered faster than it takes the answers @deep', async () => {
    const before = process.memoryUsage().rss
    const asks = `for (let n = 0; n < 900; n++) say(JSON.stringify({ type: 'read', id: n, path: 'big' }) + '\\n')`
    const program = `${ready} ${asks}; setTimeout(() => say('{"type":"done"}\\n'), 500)`
    const files = memoryFiles({ big: 'x'.repeat(1_000_000) })
    const { answer } = await answerOf(program, 4_000, files)
    expect(answer).toMatchObject({ ok: false, code: 'timeout' })
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })

  it('leaves no listener behind for each answer that it takes', async () => {
    const warnings: string[] = []
    const hear = (warning: Error) => warnings.push(warning.name)
    process.on('warning', hear)
    const asks = `for (let n = 0; n < 40; n++) say(JSON.stringify({ type: 'read', id: n, path: 'big' }) + '\\n')`
    const taken = `let bytes = 0; process.stdin.on('data', (part) => { bytes += part.length; if (bytes > 40 * 200_000) say('{"type":"done"}\\n') })`
    const { answer } = await answerOf(
      `${ready} ${taken}; ${asks}`,
      30_000,
      memoryFiles({ big: 'x'.repeat(200_000) }),
    )
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', hear)
    expect(answer).toMatchObject({ ok: true })
    expect(warnings).toEqual([])
  })

  it('may not say done before its writes are done', async () => {
    const written = `${ready} say('{"type":"write","id":1,"path":"a","text":"b"}\\n{"type":"done"}\\n')`
    const { answer, files } = await answerOf(written)
    expect(answer).toEqual({ ok: true, value: undefined, written: ['a'] })
    expect(String(files.stored.get('a'))).toBe('b')
  })
})
