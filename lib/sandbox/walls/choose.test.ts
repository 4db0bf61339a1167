import { describe, expect, test } from 'vitest'
import type { WallStrength, WallTest } from '#lib/spec/walls'
import { chooseWalls } from './choose'
import type { ScriptWall } from './wall'

const holds: WallTest = { holds: true, startMs: 1 }
const leaks: WallTest = { holds: false, reason: 'It leaks.', remedies: ['Mend it.'] }

/** A wall whose tests give these results one after the other, the last one for good. */
function wallOf(id: string, strength: WallStrength, ...results: (WallTest | Error)[]) {
  let tests = 0
  const wall: ScriptWall = {
    facts: { id, name: id, strength, promises: [], gaps: [] },
    async test() {
      const result = results[Math.min(tests, results.length - 1)] ?? holds
      tests += 1
      if (result instanceof Error) throw result
      return result
    },
    run: async () => ({
      ended: true,
      exitCode: 0,
      usage: { wallMs: 0, cpuSeconds: null, peakMemoryBytes: null },
    }),
    close: () => undefined,
  }
  return { wall, tests: () => tests }
}

const shellOf = (...shell: ScriptWall[]) => ({ javascript: [], shell, python: [], readers: [] })
const usedIn = async (choice: ReturnType<typeof chooseWalls>) => {
  const wall = await choice.script('shell')
  return 'refusal' in wall ? wall.refusal : wall.facts.id
}

describe('the wall for a kind of code', () => {
  test('T8 is the strongest whose test shows that it holds', async () => {
    const strong = wallOf('strong', 'system', leaks)
    const weak = wallOf('weak', 'process', holds)
    const choice = chooseWalls(shellOf(strong.wall, weak.wall))
    expect(await usedIn(choice)).toBe('weak')
    expect(await usedIn(choice)).toBe('weak')
    expect([strong.tests(), weak.tests()]).toEqual([1, 1])
  })

  test('leaves weaker walls untested until somebody asks for all', async () => {
    const weak = wallOf('weak', 'process', holds)
    const choice = chooseWalls(shellOf(wallOf('strong', 'system', holds).wall, weak.wall))
    const [, shell] = await choice.report()
    expect(shell).toMatchObject({ used: 'strong', walls: [{ test: holds }, { test: null }] })
    expect(weak.tests()).toBe(0)
    expect((await choice.report({ again: true }))[1]).toMatchObject({
      walls: [{ test: holds }, { test: holds }],
    })
  })

  test('is told alone for a kind that is asked for: walls of other kinds stay untested', async () => {
    const shell = wallOf('shell', 'system', holds)
    const slow = wallOf('python', 'runtime', holds)
    const choice = chooseWalls({ ...shellOf(shell.wall), python: [slow.wall] })
    for (const _ of [1, 2]) {
      expect(await choice.report({ kind: 'shell' })).toMatchObject([{ kind: 'shell', used: 'shell' }])
    }
    expect([shell.tests(), slow.tests()]).toEqual([1, 0])
    await choice.report()
    expect([shell.tests(), slow.tests()]).toEqual([1, 1])
  })

  test('changes when a new test shows something else', async () => {
    const strong = wallOf('strong', 'system', leaks, holds)
    const choice = chooseWalls(shellOf(strong.wall, wallOf('weak', 'process', holds).wall))
    expect(await usedIn(choice)).toBe('weak')
    await choice.report({ again: true })
    expect(await usedIn(choice)).toBe('strong')
  })

  test('is none where the operator demands more than there is, and the reason says so', async () => {
    const weak = wallOf('weak', 'process', holds)
    const choice = chooseWalls(shellOf(wallOf('strong', 'system', leaks).wall, weak.wall), 'system')
    expect(await usedIn(choice)).toContain('at least “system”, which the operator demands')
    expect(weak.tests()).toBe(0)
    expect((await choice.report())[1]).toMatchObject({
      used: null,
      refusal: expect.stringContaining('Shell code is not run'),
    })
  })

  test('is none where all fail, and the reason tells the least that a person can do', async () => {
    const weak = wallOf('weak', 'runtime', {
      holds: false,
      reason: 'It is not installed.',
      remedies: ['Install it with `this`.', 'Or else.'],
    })
    const choice = chooseWalls(shellOf(wallOf('strong', 'system', leaks).wall, weak.wall))
    const sentence =
      'Shell code is not run: no wall holds on this machine. It is not installed. Install it with `this`. Settings → Sandbox says more.'
    expect(await usedIn(choice)).toBe(sentence)
    expect((await choice.report())[1]).toMatchObject({ used: null, refusal: sentence })
    expect(weak.tests()).toBe(1)
  })

  test('is never one whose test could not be made', async () => {
    const choice = chooseWalls(shellOf(wallOf('strong', 'system', new Error('no room')).wall))
    expect(await usedIn(choice)).toContain('no wall holds')
    const [, shell] = await choice.report()
    expect(shell?.walls[0]?.test).toMatchObject({ holds: false, reason: expect.stringContaining('no room') })
  })
})
