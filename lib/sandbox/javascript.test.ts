import { afterAll, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { createJavascript } from './javascript'
import { type Given, memoryFiles, runIn, untilGone, watchChildren, withoutUsage } from './javascript.fixture'

vi.setConfig({ testTimeout: 30_000 })

const port = createJavascript()
afterAll(() => port.close())

const run = (source: string, given?: Given) => runIn(port, source, given)
const answerTo = async (source: string, given?: Given) => (await run(source, given)).answer
const endless = 'for (;;);'
/** It waits, and leaves the processor to others. */
const idle = 'await new Promise((go) => setTimeout(go, 60000))'

describe('foreign JavaScript', () => {
  it('S0-05 reads which run it works for as run, which its own names may cover', async () => {
    const about = { agent: { id: null, name: 'tester' }, step: 2 }
    expect(await answerTo('return [run.agent.name, run.step]', { run: about })).toMatchObject({
      value: ['tester', 2],
    })
    expect(await answerTo('const run = 1; return run', { run: about })).toMatchObject({ value: 1 })
  })

  it.each([
    ['return args.text.toLowerCase()', 'ab'],
    ['return', undefined],
    ['', undefined],
    ['return null', null],
    ['// a comment at the end', undefined],
    ['return await new Promise(go => setTimeout(go, 20, 5))', 5],
    [
      'return { a: [1, undefined, NaN], b: undefined, d: new Date(0) }',
      { a: [1, null, null], d: '1970-01-01T00:00:00.000Z' },
    ],
    ['return "a\\0b\\u2028\\ud83d\\ude00"', 'a\0b\u2028😀'],
    ['return { then: (go) => go(7) }', 7],
    [
      'let n = 0; const t = setTimeout(() => { n = 1 }, 5); clearTimeout(t); await new Promise(r => setTimeout(r, 20)); return n',
      0,
    ],
    ['total = 0; for (const each of [1, 2]) total += each; return total', 3],
    [
      'return [typeof process, typeof require, typeof fetch, typeof WebAssembly].join()',
      'undefined,undefined,undefined,undefined',
    ],
    ['let n = 0; const f = () => { n++; f() }; try { f() } catch (e) {} return n > 1000', true],
  ])('%s gives %j', async (source, value) => {
    expect(await answerTo(source, { args: { text: 'AB' } })).toEqual({ ok: true, value, written: [] })
  })

  it('takes arguments as they are, whatever their keys', async () => {
    const args = JSON.parse('{"__proto__": {"x": 1}, "a\\u0000": "\\u0000", "list": [1.5, null, true]}')
    expect(await answerTo('return args', { args })).toMatchObject({ ok: true, value: args })
  })

  it.each([
    ['let x = 1\nnull.foo', "TypeError: cannot read property 'foo' of null (line 2)"],
    ['\n\nthrow new RangeError("too far")', 'RangeError: too far (line 3)'],
    ['throw "no"', 'no'],
    ['throw { code: 1 }', '{"code":1}'],
    ['throw null', 'null'],
    ['let let', "SyntaxError: 'let' is not a valid lexical identifier (line 1)"],
    ['await 0\nreturn missing', "ReferenceError: 'missing' is not defined (line 2)"],
    ['setTimeout(() => {\nthrow new Error("later") })\nawait new Promise(() => {})', 'Error: later (line 2)'],
    ['await new Promise(() => {})', 'The function never ended: it awaits a promise that nothing settles.'],
    ['return () => 1', 'TypeError: A function has no JSON form: return its result'],
    ['return { a: Symbol() }', 'TypeError: A symbol has no JSON form: return a text'],
    ['return 10n', 'TypeError: A BigInt has no JSON form: return Number(value) or String(value)'],
    ['return new Map([[1, 2]])', 'TypeError: A Map has no JSON form: return Object.fromEntries(map)'],
    ['return [new Set()]', 'TypeError: A Set has no JSON form: return [...set]'],
    ['return [Promise.resolve(1)]', 'TypeError: A promise has no JSON form: await it'],
    ['const a = {}; a.a = a; return a', 'TypeError: circular reference'],
    ['setTimeout("1")', 'TypeError: setTimeout: the first argument must be a function (line 1)'],
  ])('%j fails with its reason', async (source, message) => {
    const answer = await answerTo(source)
    expect(answer).toMatchObject({ ok: false, code: 'javascript_error', written: [] })
    if (!answer.ok) expect(answer.message).toBe(message)
  })

  it('reads and writes the files of its thread, and tells which it wrote', async () => {
    const files = memoryFiles({ 'in.txt': 'a\0ü\n' })
    const source = `
      const text = await files.read('in.txt')
      await files.write('out/a.txt', text + '!')
      await files.write('out/a.txt', text + '?')
      files.write('b.txt', 'not awaited')
      return text`
    const { answer } = await run(source, { files })
    expect(answer).toEqual({ ok: true, value: 'a\0ü\n', written: ['out/a.txt', 'b.txt'] })
    expect(String(files.stored.get('out/a.txt'))).toBe('a\0ü\n?')
    expect(String(files.stored.get('b.txt'))).toBe('not awaited')
  })

  it.each([
    ["files.read('none.txt')", 'Error: files.read: There is no file "none.txt".'],
    ["files.read('../x')", 'Error: files.read: "../x" leads outside.'],
    ["files.write('/etc/x', '')", 'Error: files.write: "/etc/x" leads outside.'],
    ["files.read('bin')", 'Error: files.read: "bin" is not a text file.'],
    ['files.read(5)', 'TypeError: files.read: the path must be a text'],
    [
      "files.write('a', {})",
      'TypeError: files.write: the content must be a text; JSON.stringify makes one of a value',
    ],
    ["files.write('a', 'x'.repeat(6e6))", 'Error: files.write: the content is longer than 5 MiB'],
    ["files.write('a', '\\0'.repeat(3e6))", 'Error: files.write: files.write: the content is too large'],
    [
      'Promise.all(Array.from({ length: 101 }, () => files.read("bin")))',
      'Error: files: more than 100 requests wait; await them first',
    ],
  ])('%s rejects', async (call, message) => {
    const files = memoryFiles({ bin: new Uint8Array([255, 254]) })
    const answer = await answerTo(`try { await ${call} } catch (error) { return String(error) }`, { files })
    expect(answer).toEqual({
      ok: true,
      value: message.replace('files.write: files.write', 'files.write'),
      written: [],
    })
  })

  it('shows what it prints while it works', async () => {
    const source = `
      console.log('one', 2, { three: [3] }, undefined, null, true, () => 1)
      await new Promise((go) => setTimeout(go, 250))
      console.error(new TypeError('bad'))
      console.log()`
    const seen: string[] = []
    const request = {
      source,
      args: {},
      files: memoryFiles(),
      timeoutMs: 20_000,
      log: (text: string) => void seen.push(text),
    }
    expect(await port.run(request, new AbortController().signal)).toMatchObject({ ok: true })
    expect(seen[0]).toBe('one 2 {"three":[3]} undefined null true () => 1\n')
    expect(seen.join('')).toBe('one 2 {"three":[3]} undefined null true () => 1\nTypeError: bad\n\n')
  })

  it('a result may be 1 MiB and no more', async () => {
    expect(await answerTo('return "x".repeat(1024 * 1024 - 2)')).toMatchObject({ ok: true })
    const answer = await answerTo('return "x".repeat(5e6)')
    expect(answer).toMatchObject({ ok: false, code: 'too_large' })
    expect(answer).toHaveProperty('message', expect.stringContaining('4.8 MiB'))
    expect(await answerTo('let a = []; for (let n = 0; n < 150; n++) a = [a]; return a')).toMatchObject({
      ok: false,
      code: 'too_large',
    })
  })

  it('executions share nothing', async () => {
    await answerTo('globalThis.left = 1; Object.prototype.left = 2; JSON.parse = null')
    expect(await answerTo('return [typeof left, typeof ({}).left, typeof JSON.parse]')).toMatchObject({
      value: ['undefined', 'undefined', 'function'],
    })
  })
})

describe('its end', () => {
  it('E-42 code that never pauses is stopped in time, and the server works on beside it', async () => {
    let beats = 0
    const beat = setInterval(() => {
      beats += 1
    }, 20)
    try {
      expect(await answerTo(endless, { timeoutMs: 1_500 })).toMatchObject({ ok: false, code: 'timeout' })
    } finally {
      clearInterval(beat)
    }
    // If the code ran in the server itself, there would be none. A busy machine loses a few.
    expect(beats).toBeGreaterThan(20)
  })

  it.each(isDeep ? [endless, 'await 0; for (;;);', idle] : [idle])(
    'S0-23 T53 comes in time: %s',
    async (source) => {
      const from = Date.now()
      expect(await answerTo(source, { timeoutMs: 1_500 })).toMatchObject({
        ok: false,
        code: 'timeout',
        message: 'The code ran longer than 1.5 seconds and was stopped.',
      })
      expect(Date.now() - from).toBeLessThan(8_000)
    },
  )

  it('an abort ends it at once, and what it wrote until then is told', async () => {
    const abort = new AbortController()
    const files = memoryFiles()
    const source = `await files.write('a.txt', '1'); console.log('go'); ${endless}`
    const log = () => abort.abort('cancel')
    const from = Date.now()
    const answer = withoutUsage(
      await port.run({ source, args: {}, files, timeoutMs: 20_000, log }, abort.signal),
    )
    expect(answer).toEqual({
      ok: false,
      code: 'aborted',
      message: 'The code was stopped.',
      written: ['a.txt'],
    })
    expect(Date.now() - from).toBeLessThan(12_000)
    expect(await answerTo('return 1', { signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' })
  })

  it.runIf(isDeep)(
    'more than four wait for their turn, and the wait is not part of their time @deep',
    async () => {
      const stop = new AbortController()
      const slow = Array.from({ length: 4 }, () => answerTo(idle, { signal: stop.signal }))
      const waiting = Array.from({ length: 2 }, () => answerTo('return 1', { timeoutMs: 5_000 }))
      setTimeout(() => stop.abort(), 6_000)
      for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject({ ok: true, value: 1 })
      await Promise.all(slow)
    },
  )

  it('an abort ends the wait for a turn at once', async () => {
    const stop = new AbortController()
    const slow = Array.from({ length: 4 }, () => answerTo(idle, { signal: stop.signal }))
    const abort = new AbortController()
    const waiting = answerTo('return 1', { signal: abort.signal })
    const from = Date.now()
    setTimeout(() => abort.abort(), 300)
    expect(await waiting).toMatchObject({ ok: false, code: 'aborted' })
    expect(Date.now() - from).toBeLessThan(3_000)
    stop.abort()
    await Promise.all(slow)
  })

  it('no process is left, whichever way it ended', async () => {
    // The spare child of the shared port must not count in this test.
    port.close()
    const own = createJavascript()
    const children = watchChildren()
    const some = 'await new Promise((go) => setTimeout(go, 300));'
    await runIn(own, `${some} return 1`)
    await runIn(own, `${some} throw 1`)
    await runIn(own, endless, { timeoutMs: 1_000 })
    const abort = new AbortController()
    const going = runIn(own, endless, { signal: abort.signal })
    setTimeout(() => abort.abort(), 500)
    await going
    own.close()
    expect(await untilGone(children.living)).toEqual([])
    children.stop()
  })

  it('closing stops what runs', async () => {
    const own = createJavascript()
    const running = runIn(own, endless)
    setTimeout(() => own.close(), 500)
    expect((await running).answer).toMatchObject({ ok: false, code: 'aborted' })
  })
})
