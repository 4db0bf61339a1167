/** The walls around readers: what their test shows, and that one which confines nothing is found out. */
import { afterEach, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import type { Runtime } from './children'
import { lackOfDeno } from './python.fixture'
import { readersBehind, testPlace } from './reader-tier.fixture'
import { readerWall } from './reader-wall'
import { testReaderWall } from './reader-wall-test'
import { boxedReaders, denoReaders, nodeReaders, type ReaderWall } from './reader-walls'
import { denoRuntime, findDeno } from './walls/deno'

const boxed = await boxedReaders(testPlace)
/** Deno is not there in `npm test`. */
const lack = isDeep ? lackOfDeno() : 'not run: only in npm run test:deep'
let undo = () => {}
afterEach(() => undo())
const deno = lack === undefined ? denoReaders(testPlace) : undefined

describe('the wall around readers', { timeout: 60_000 }, () => {
  test.runIf(boxed !== undefined)('T8 holds where it is bubblewrap', async () => {
    expect(await testReaderWall(boxed as ReaderWall, testPlace)).toMatchObject({ holds: true }) // cast: it is there
  })

  test('T8 holds where it is Node’s permission model', async () => {
    expect(await testReaderWall(nodeReaders, testPlace)).toMatchObject({ holds: true })
  })

  test.runIf(deno !== undefined)(`@deep T8 holds where it is Deno ${lack ?? ''}`, async () => {
    expect(await testReaderWall(deno as ReaderWall, testPlace)).toMatchObject({ holds: true }) // cast: it is there
  })

  test('T8 is refused when it confines nothing', async () => {
    const open: ReaderWall = { ...nodeReaders, id: 'deno', confine: () => ({}) }
    const answer = await testReaderWall(open, testPlace)
    const reason = answer.holds ? '' : answer.reason
    for (const leak of ['reads files', 'writes files', 'starts programs', 'starts threads', 'the network'])
      expect(reason).toContain(leak)
  })

  test.each([
    ['__CF_USER_TEXT_ENCODING', true],
    ['Temp', true],
    ['OPENAI_API_KEY', false],
  ])(
    'T8 is refused when it shows variables of the server, not those of the system: %s',
    async (name, holds) => {
      const { permissions = [] } = nodeReaders.confine('probe-child', [])
      const runtime: Runtime = {
        command: (file, args, flags) => [process.execPath, ...flags, ...permissions, file, ...args],
        variables: { [name]: 'some' },
        moreMiB: 0,
        ownFileMiB: 0,
      }
      const confine: ReaderWall['confine'] = (program) =>
        program === 'probe-child' ? { runtime } : nodeReaders.confine(program, [])
      expect(await testReaderWall({ ...nodeReaders, confine }, testPlace)).toMatchObject({ holds })
    },
  )

  test.runIf(deno !== undefined)(
    `@deep T8 is refused when Deno has a right too many ${lack ?? ''}`,
    async () => {
      const runtime = denoRuntime({ deno: findDeno(testPlace.installed) ?? '', readable: [] })
      const without = (flag: string, ...more: string[]): ReaderWall => ({
        ...nodeReaders,
        id: 'deno',
        confine: () => ({
          runtime: {
            ...runtime,
            command: (file, args, flags) =>
              runtime.command(file, args, flags).flatMap((each) => (each === flag ? more : [each])),
          },
        }),
      })
      const cases = [
        ['--deny-net', '--allow-net', 'it reaches the network'],
        ['--deny-read', '--allow-read', 'it reads files of the server'],
        ['--deny-run', '--allow-run', 'Deno starts programs'],
        ['--deny-sys', '--allow-sys', 'Deno sees the system'],
      ] as const
      for (const [denied, allowed, leak] of cases)
        expect(await testReaderWall(without(denied, allowed), testPlace)).toMatchObject({
          reason: expect.stringContaining(leak),
        })
    },
  )

  test('T8 is the strongest that holds, and is tested once', async () => {
    undo = readersBehind('node')
    const found = readerWall()
    expect(readerWall()).toBe(found)
    expect((await found)?.id).toBe('node')
  })

  test.runIf(deno !== undefined)(
    `@deep T8 is Deno where bubblewrap does not hold ${lack ?? ''}`,
    async () => {
      undo = readersBehind('deno')
      expect((await readerWall())?.id).toBe('deno')
    },
  )
})
