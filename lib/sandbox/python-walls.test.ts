/** Python behind each wall that this machine and its packages have: what it gives, and that it stays inside. */
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { lackOfPyodide, runPythonBehind, testPackages } from './python.fixture'
import { pyodideAttacks, pythonAttacks } from './python-attacks.fixture'
import { openPlace, type Place } from './scripts.fixture'
import { pythonWalls } from './walls/python'

vi.setConfig({ testTimeout: isDeep ? 240_000 : 60_000 })

const home = openPlace()
const wheels = path.join(home.top, 'wheels')
const walls = pythonWalls({ temporary: home.temporary, hidden: [home.top], installed: testPackages, wheels })
const secret = 'canary-of-the-server'
const folder = path.join(home.top, 'data')
const file = path.join(folder, 'canary')
let reached = 0
const listener = net.createServer((socket) => {
  reached += 1
  socket.end(secret)
})
let port = 0

beforeAll(async () => {
  fs.mkdirSync(folder)
  fs.writeFileSync(file, secret)
  process.env.LOOPWRIGHT_TEST_CANARY = secret
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (typeof address === 'object' && address !== null) port = address.port
})
afterAll(() => {
  delete process.env.LOOPWRIGHT_TEST_CANARY
  listener.close()
  for (const wall of walls) wall.close()
  home.remove()
})

/** Pyodide takes seconds to start, so it is tested only in a deep run. */
const tested = await Promise.all(
  walls.map(async (wall) => {
    const isPyodide = wall.facts.id === 'deno-pyodide'
    const lack = isPyodide ? (isDeep ? lackOfPyodide() : 'not run: only in npm run test:deep') : undefined
    const test = lack === undefined ? await wall.test() : undefined
    const why = lack ?? (test?.holds === false ? `not run: ${test.reason}` : '')
    return { wall, test, why, attacks: isPyodide ? [...pythonAttacks, ...pyodideAttacks] : pythonAttacks }
  }),
)

describe.each(tested)('Python behind $wall.facts.name $why', ({ wall, test, attacks }) => {
  const runs = test?.holds === true
  let place: Place
  beforeEach(() => {
    place = openPlace()
    return () => place.remove()
  })
  const context = () => ({ file, folder, port, pid: process.pid })
  const run = (source: string, given: Parameters<typeof runPythonBehind>[3] = {}) =>
    runPythonBehind(wall, place, source, { args: { mode: 'script', run: context() }, owner: 'one', ...given })

  it.runIf(runs)(
    '@deep S1-07 gives what it prints, the value of its last expression, and the files that changed',
    async () => {
      place.put('in/a.txt', 'one')
      place.put('gone.txt', 'x')
      const code =
        'import os\nprint("working")\nopen("out/b.txt", "w").write(open("in/a.txt").read() * 2) if os.makedirs("out") is None else 0\nos.remove("gone.txt")\n{"sum": sum(range(5)), "nan": float("nan")}'
      const { answer, result, printed } = await run(code)
      expect(result, JSON.stringify(answer)).toEqual({ sum: 10, nan: null })
      expect(printed).toBe('working\n')
      expect(answer).toMatchObject({ ok: true, exitCode: 0, changed: ['out/b.txt'], removed: ['gone.txt'] })
      expect(place.texts()).toEqual({ 'in/a.txt': 'one', 'out/b.txt': 'oneone' })
      if (answer.ok && process.platform === 'linux') {
        expect(answer.usage.peakMemoryBytes).toBeGreaterThan(1_000_000)
        expect(answer.usage.cpuSeconds).toBeGreaterThanOrEqual(0)
      }
    },
  )

  it.runIf(runs)(
    '@deep S3-19 calls run(args) of a code tool, and shows an error with its own lines only',
    async () => {
      const args = { mode: 'function', args: { n: 4 } }
      const good = await run('def run(args):\n    return [args["n"] ** 2, context]', { args })
      expect(good.result).toEqual([16, {}])
      const bad = await run('def run(args):\n    return 1 / 0', { args })
      expect(bad.answer).toMatchObject({ ok: true, exitCode: 1 })
      expect(bad.result).toMatch(
        /^Traceback[\s\S]*File "code.py", line 2, in run[\s\S]*ZeroDivisionError: division by zero\n$/,
      )
      expect(bad.result).not.toMatch(/string>|execute/)
      expect((await run('x = 1', { args })).result).toMatch(/defines no function run/)
    },
  )

  it.runIf(runs)('@deep every call begins anew: nothing of one is seen by the next', async () => {
    await run(
      'import os, sys, builtins\nleft = 1\nopen("note.py", "w").write("value = 1")\nimport note\nos.environ["LEFT"] = "1"\nsys.path.append("/left")',
      {
        mayWrite: false,
      },
    )
    const look =
      'import os, sys\n["left" in globals(), "note" in sys.modules, "LEFT" in os.environ, "/left" in sys.path, os.listdir(".")]'
    expect((await run(look)).result).toEqual([false, false, false, false, []])
    expect(place.texts()).toEqual({})
  })

  it.runIf(runs)('@deep imports the wheels of the operator', async () => {
    fs.mkdirSync(wheels, { recursive: true })
    const make = await run(
      'import zipfile\nwith zipfile.ZipFile("w.whl", "w") as wheel:\n    wheel.writestr("operator_wheel/__init__.py", "answer = 42")',
    )
    expect(make.answer).toMatchObject({ ok: true, exitCode: 0 })
    fs.copyFileSync(path.join(place.root, 'w.whl'), path.join(wheels, 'operator_wheel-1.0-py3-none-any.whl'))
    const { result } = await run('import operator_wheel; operator_wheel.answer', { owner: 'after the wheel' })
    expect(result).toBe(42)
  })

  it.runIf(runs)('@deep T6 no attack of the corpus reads, changes or reaches anything outside', async () => {
    for (const [name, source] of attacks) {
      const { answer, printed } = await run(source)
      const all = printed + JSON.stringify(answer)
      expect(all, name).not.toContain(secret)
      expect(all, name).not.toContain('LEAK')
    }
    expect(fs.readFileSync(file, 'utf8')).toBe(secret)
    expect(fs.readdirSync(folder)).toEqual(['canary'])
    expect(fs.existsSync(path.join(home.top, 'out'))).toBe(false)
    expect(reached).toBe(0)
    expect(Object.values(place.texts()).join('')).not.toContain(secret)
  })

  it.runIf(runs && isDeep)(
    '@deep T53 bombs end at their limits, none of their changes are kept, and the next call works',
    async () => {
      place.put('kept.txt', 'before')
      const late = await run('open("kept.txt", "w").write("changed")\nwhile True: pass', {
        limits: { timeoutMs: 1_500 },
      })
      expect(late.answer).toMatchObject({ ok: false, code: 'timeout' })
      expect(place.texts()).toEqual({ 'kept.txt': 'before' })
      const memory = await run('x = []\nwhile True: x.append(bytearray(10_000_000))', {
        limits: { memoryMiB: 200 },
      })
      expect(memory.answer.ok ? memory.result : memory.answer.code).toMatch(/MemoryError|memory/)
      const flood = await run('print("x" * 5_000_000)')
      expect(flood.printed.length).toBeLessThan(300_000)
      const disk = await run(
        'import time\nfor n in range(60):\n  open("f%d" % n, "wb").write(b"x" * 1_000_000)\ntime.sleep(2)',
        {
          limits: { diskMiB: 16 },
        },
      )
      expect(disk.answer.ok).toBe(false)
      expect(place.texts()).toEqual({ 'kept.txt': 'before' })
      expect((await run('1 + 1')).result).toBe(2)
    },
  )

  it.runIf(runs)('@deep is stopped at once when its call is aborted', async () => {
    const abort = new AbortController()
    const output = () => abort.abort()
    const running = run('print("begun", flush=True)\nwhile True: pass', { signal: abort.signal, output })
    expect((await running).answer).toMatchObject({ ok: false, code: 'aborted' })
  })
})
