/** The escape corpus of the shell, run against each wall that holds on this machine. */
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import type { ScriptLimits, WallTest } from '#lib/spec/walls'
import { lackOfDeno, testPackages } from '../python.fixture'
import { openPlace, type Place, runShell } from '../scripts.fixture'
import { escapes, type Outside, secret } from './escapes.fixture'
import { shellWalls } from './shell'

vi.setConfig({ testTimeout: 120_000 })

/** Deno is not there in `npm test`, so it is tested only in a deep run. */
const lack = isDeep ? lackOfDeno() : 'not run: only in npm run test:deep'
const above = lack === undefined ? path.dirname(testPackages) : os.tmpdir()
const home = openPlace(above)
const walls = shellWalls({
  temporary: home.temporary,
  hidden: [home.top],
  installed: testPackages,
  wheels: '',
})
const tested = await Promise.all(
  walls.map(async (wall) => {
    const test: WallTest =
      wall.facts.id === 'deno-just-bash' && lack !== undefined
        ? { holds: false, reason: lack, remedies: [] }
        : await wall.test()
    return { wall, test }
  }),
)

let outside: Outside
let reached = 0
const listener = net.createServer((socket) => {
  reached += 1
  socket.end(secret)
})
beforeAll(async () => {
  const folder = path.join(home.top, 'data')
  fs.mkdirSync(folder)
  const canary = path.join(folder, 'canary')
  fs.writeFileSync(canary, secret)
  process.env.LOOPWRIGHT_TEST_CANARY = secret
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  outside = { canary, folder, port: address.port, pid: process.pid }
})
afterAll(() => {
  delete process.env.LOOPWRIGHT_TEST_CANARY
  listener.close()
  for (const wall of walls) wall.close()
  home.remove()
})

describe.each(tested.map(({ wall, test }) => [wall.facts.name, wall, test] as const))(
  'behind %s',
  (name, wall, test) => {
    let place: Place
    beforeEach(() => {
      place = openPlace(above)
      return () => place.remove()
    })
    const limited = (source: string, limits: Partial<ScriptLimits>) =>
      runShell(place, wall, source, { limits })

    it.runIf(test.holds)(
      '@deep T5 no script of the corpus finds the canary, the server or the network',
      async () => {
        const before = fs.readdirSync(outside.folder)
        const all = escapes(outside)
        // In `npm test` the scripts run as one, which starts one process instead of fourteen.
        const scripts = isDeep
          ? all
          : ([['all', all.map(([, script]) => `(${script}\n)`).join('\n')]] as const)
        for (const [what, script] of scripts) {
          const { answer } = await runShell(place, wall, script)
          const printed = `${answer.output?.stdout}${answer.output?.stderr}`
          expect(answer.ok, `${what}: ${JSON.stringify(answer)}`).toBe(true)
          expect(printed, what).not.toContain(secret)
          expect(printed, what).not.toMatch(/^LEAK|root:x/m)
        }
        expect(fs.readdirSync(outside.folder)).toEqual(before)
        expect(fs.readFileSync(outside.canary, 'utf8')).toBe(secret)
        expect(reached).toBe(0)
        expect(Object.values(place.texts()).join('')).not.toContain(secret)
      },
    )

    it.runIf(test.holds)('T53 an endless loop ends at its time limit, and changes nothing', async () => {
      place.put('kept.txt', 'before')
      const from = Date.now()
      const { answer } = await limited('echo changed > kept.txt; echo begun; while true; do :; done', {
        timeoutMs: 1_500,
      })
      expect(answer).toMatchObject({ ok: false, code: 'timeout' })
      if (wall.facts.strength === 'system') expect(answer.output?.stdout).toContain('begun')
      expect(Date.now() - from).toBeLessThan(20_000)
      expect(place.texts()).toEqual({ 'kept.txt': 'before' })
    })

    it.runIf(test.holds && isDeep)(
      '@deep T53 a script that takes ever more memory is ended, and the server is not',
      async () => {
        const script = 'x=xxxxxxxxxxxxxxxx; while true; do x="$x$x"; done'
        const { answer } = await limited(script, { memoryMiB: 128, timeoutMs: 60_000 })
        if (answer.ok) expect(answer.exitCode).not.toBe(0)
        else expect(['memory', 'crashed']).toContain(answer.code)
      },
    )

    // Where the kernel does not limit the processes of a script, a bomb takes the machine from everything else.
    const isSafe = wall.facts.gaps.every((gap) => !gap.startsWith('processes'))
    it.runIf(test.holds && isDeep && isSafe)(
      '@deep T53 a fork bomb is ended with everything it started',
      async () => {
        const from = Date.now()
        const { answer } = await limited('b() { b | b & }; b; sleep 20', { processes: 32, timeoutMs: 4_000 })
        expect(Date.now() - from).toBeLessThan(15_000)
        if (!answer.ok) expect(['processes', 'timeout', 'memory', 'crashed']).toContain(answer.code)
        // The next script runs as if nothing had been.
        expect((await runShell(place, wall, 'echo well')).answer).toMatchObject({
          ok: true,
          output: { stdout: 'well\n' },
        })
      },
    )

    it.runIf(test.holds)('T52 of endless output a part is kept and the rest counted', async () => {
      const script = 'i=0; while [ $i -lt 300 ]; do printf "%01000d" 7; i=$((i+1)); done'
      const { answer, pieces } = await limited(script, { outputBytes: 10_000 })
      expect(answer).toMatchObject({ ok: true, output: { dropped: 290_000 } })
      expect(answer.output?.stdout).toHaveLength(10_000)
      expect(pieces.map(({ text }) => text).join('')).toHaveLength(10_000)
    })

    it.runIf(test.holds && isDeep)(
      '@deep T53 a script that fills the disk is ended, and changes nothing',
      async () => {
        const script =
          'i=0; printf "%0900000d" 7 > big; while [ $i -lt 200 ]; do cat big big big big >> all || break; i=$((i+1)); done; sleep 3'
        const { answer } = await limited(script, { diskMiB: 8, memoryMiB: 64, timeoutMs: 15_000 })
        if (answer.ok) expect(Object.values(place.texts()).join('').length).toBeLessThan(64 * 1024 * 1024)
        else expect(place.texts()).toEqual({})
      },
    )

    it.runIf(test.holds)('L5 a script that is stopped ends at once', async () => {
      const stop = new AbortController()
      // As soon as it is known to run. just-bash gives its output only at the end.
      const output = () => stop.abort()
      if (wall.facts.id !== 'bubblewrap') setTimeout(output, 600)
      const from = Date.now()
      const script = 'echo x > made; echo begun; sleep 30'
      const { answer } = await runShell(place, wall, script, { signal: stop.signal, output })
      expect(answer).toMatchObject({ ok: false, code: 'aborted' })
      expect(Date.now() - from).toBeLessThan(15_000)
      expect(place.texts()).toEqual({})
    })

    it.runIf(test.holds)(
      'S1-07 runs pipes, loops, functions, archives and files as a shell does',
      async () => {
        place.put('sales.csv', 'north,3\nsouth,10\neast,7\n')
        const script = [
          'cut -d, -f2 sales.csv | sort -n | tail -1',
          'total=0; while IFS=, read -r name n; do total=$((total + n)); done < sales.csv; echo "total $total"',
          'double() { echo $(( $1 * 2 )); }; double "$(grep -c . sales.csv)"',
          "mkdir -p out && awk -F, '$2 > 5 {print $1}' sales.csv > out/big.txt && tar cf all.tar out && tar tf all.tar | grep -c big",
          'cat <<END | tr a-z A-Z\nword\nEND',
          'rm sales.csv; ls nothere 2>/dev/null || exit 5',
        ].join('\n')
        const { answer } = await runShell(place, wall, script)
        expect(answer).toMatchObject({ ok: true, exitCode: 5, removed: ['sales.csv'] })
        expect(answer.output?.stdout).toBe('10\ntotal 20\n6\n1\nWORD\n')
        expect(place.texts()['out/big.txt']).toBe('south\neast\n')
      },
    )

    it.runIf(!test.holds)(`was not run: ${test.holds ? '' : test.reason}`, ({ skip }) => {
      skip(`${name} does not hold on this machine: ${test.holds ? '' : test.reason}`)
    })
  },
)
