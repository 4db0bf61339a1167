/** The coder, run from the command line behind each wall for Python and for the shell that this machine has. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { lackOfPyodide, testPackages } from '#lib/sandbox/python.fixture'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

let place = ''
const before = process.env.PATH
beforeEach(() => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-coder-'))
})
afterEach(() => {
  process.env.PATH = before
  rmSync(place, { recursive: true, force: true })
})

async function play(name: string) {
  const terminal = testTerminal({ folder: import.meta.dirname })
  const data = path.join(place, 'data')
  const workspace = path.join(place, 'ws')
  const places = ['--data', data, '--workspace', workspace]
  const code = await main(['run', `${name}.json`, 'Mend it.', '--json', ...places], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, workspace, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)

const testsOf = (events: readonly RunEvent[]) =>
  all(events, 'call.finished')
    .filter(({ name, status }) => name === 'python.run' && status === 'ok')
    .flatMap(({ result }) => result.blocks.filter((block) => block.type === 'json'))

/** The walls that hold here; without one, the agent is told so and cannot run the tests. */
function wallsOf(events: readonly RunEvent[]): unknown[] {
  return all(events, 'call.finished').flatMap(({ name, metadata }) =>
    name === 'python.run' && metadata?.wall ? [metadata.wall] : [],
  )
}

describe('the coder', { timeout: 120_000 }, () => {
  test('reads a program, finds its fault, mends it, and the tests pass', async (context) => {
    const { code, workspace, events } = await play('coder')
    expect(code).toBe(0)
    context.skip(wallsOf(events).length === 0, 'not run: no wall for Python holds here')
    expect(ends(events)).toEqual([
      'files.create ok',
      'files.create ok',
      'shell.run ok',
      'python.run ok',
      'files.view ok',
      'files.str_replace ok',
      'python.run ok',
    ])
    expect(testsOf(events)).toMatchObject([
      { value: { run: 2, failed: 1 } },
      { value: { run: 2, failed: 0 } },
    ])
    expect(readFileSync(path.join(workspace, 'prices.py'), 'utf8')).toContain('discount / 100)')
    expect(all(events, 'run.finished')[0]).toMatchObject({ status: 'completed' })
  })

  test.runIf(isDeep)(
    'claims nothing where no wall for Python holds, and says how to get one @deep',
    async () => {
      process.env.PATH = place
      const { code, workspace, events } = await play('coder')
      expect(code).toBe(0)
      expect(ends(events)).toEqual(['files.create ok', 'files.create ok', 'shell.run ok', 'python.run error'])
      expect(all(events, 'call.finished').at(-1)).toMatchObject({
        code: 'unavailable',
        result: { text: expect.stringContaining('`loopwright walls install`') },
      })
      const { answer } = all(events, 'run.finished')[0] ?? {}
      expect(answer).toBe('The tests could not be run, so I changed nothing. The result above says why.')
      expect(readFileSync(path.join(workspace, 'prices.py'), 'utf8')).toContain('discount / 10)')
    },
  )

  test('recovers from code that does not parse, a wrong passage, an unknown command and a file outside', async (context) => {
    const { code, workspace, events } = await play('coder-errs')
    expect(code).toBe(0)
    context.skip(wallsOf(events).length === 0, 'not run: no wall for Python holds here')
    expect(ends(events)).toEqual([
      'files.create ok',
      'files.create ok',
      'python.run error',
      'python.run ok',
      'files.str_replace error',
      'files.str_replace error',
      'files.view ok',
      'shell.run ok',
      'files.str_replace ok',
      'python.run ok',
    ])
    const texts = all(events, 'call.finished').map(({ result }) => result.text)
    expect(texts[2]).toContain('SyntaxError')
    expect(texts[5]).toContain('There is no command "open"')
    expect(texts[7]).toMatch(/^Exit code 3\./)
    expect(texts[7]).not.toContain('root:')
    expect(testsOf(events)).toMatchObject([
      { value: { run: 2, failed: 1 } },
      { value: { run: 2, failed: 0 } },
    ])
    expect(readFileSync(path.join(workspace, 'prices.py'), 'utf8')).toContain('discount / 100)')
  })

  const lack = isDeep ? lackOfPyodide() : 'not run: only in npm run test:deep'
  test.runIf(lack === undefined)(
    `@deep does the same without bubblewrap, with Pyodide and just-bash ${lack ?? ''}`,
    async () => {
      process.env.PATH = path.join(place, 'empty')
      mkdirSync(path.join(place, 'data'), { recursive: true })
      symlinkSync(testPackages, path.join(place, 'data', 'walls'))
      const { code, events } = await play('coder')
      expect(code).toBe(0)
      expect(
        wallsOf(events),
        JSON.stringify(all(events, 'call.finished').map(({ result }) => result.text)),
      ).toMatchObject([{ id: 'deno-pyodide' }, { id: 'deno-pyodide' }])
      const shell = all(events, 'call.finished').find(({ name }) => name === 'shell.run')
      expect(shell?.metadata?.wall).toMatchObject({ id: 'just-bash' })
      expect(testsOf(events)).toMatchObject([
        { value: { run: 2, failed: 1 } },
        { value: { run: 2, failed: 0 } },
      ])
    },
  )
})
