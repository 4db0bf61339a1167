/** People at the terminal, asked by agents inside calls and by calls in the background. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-asking-'))
  const scripted = (turns: JsonObject[]) => ({ provider: 'scripted', name: 'script', turns, paceMs: 0 })
  const write = (config: JsonObject & { name: string }) =>
    fs.writeFileSync(path.join(folder, `${config.name}.json`), JSON.stringify(config))
  const adding = { name: 'math.calculate', args: { expression: '1 + 2' } }
  write({
    name: 'adder',
    model: scripted([{ calls: [adding] }, { text: 'It is 3.' }]),
    tools: [{ use: 'builtin', tools: ['math.*'] }],
    policies: [{ use: 'approval' }],
  })
  write({
    name: 'asker',
    model: scripted([
      { calls: [{ name: 'human.ask', args: { question: 'Which city?' } }] },
      { text: 'Noted.' },
    ]),
    tools: [{ use: 'builtin', tools: ['human.ask'] }],
  })
  for (const [name, helper] of [
    ['adding-lead', 'adder'],
    ['asking-lead', 'asker'],
  ] as const)
    write({
      name,
      model: scripted([
        { calls: [{ name: helper, args: { task: 'Do it.' } }] },
        { text: 'I wait for it.' },
        { text: 'All done.' },
      ]),
      tools: [{ use: 'agent', agent: helper, background: true }],
    })
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function played(
  agent: string,
  given: { input?: string; isInteractive?: boolean },
  ...more: string[]
): Promise<{ code: number; said: string; printed: string }> {
  const terminal = testTerminal({ folder, ...given })
  const code = await main(['run', `${agent}.json`, 'x', ...more], terminal)
  return { code, said: terminal.said, printed: terminal.printed }
}

describe('an agent in the background of a run that', () => {
  it.each([
    ['is approved at the terminal', { input: 'y\n', isInteractive: true }, [], 'math.calculate ok'],
    [
      'is rejected at the terminal',
      { input: 'n\n', isInteractive: true },
      [],
      'math.calculate denied (rejected)',
    ],
    ['is approved by --yes', {}, ['--yes'], 'math.calculate ok'],
    ['is rejected where nobody is', {}, [], 'nobody can be asked here'],
    [
      'is rejected with --non-interactive',
      { input: 'y\n', isInteractive: true },
      ['--non-interactive'],
      'nobody can be asked here',
    ],
  ] as const)('requires approval %s, and the run ends (S1-24)', async (_, given, more, said) => {
    const run = await played('adding-lead', given, ...more)
    expect(run.said).toContain(said)
    expect([run.code, run.printed]).toEqual([0, 'All done.\n'])
  })

  it.each([
    ['is answered at the terminal', { input: 'Lisbon\n', isInteractive: true }, [], 'Lisbon'],
    ['is declined where nobody is', {}, [], 'Nobody can be asked here, since there is no terminal.'],
    [
      'is declined with --yes, which only approves',
      {},
      ['--yes'],
      'Nobody can be asked here, since there is no terminal.',
    ],
  ] as const)('asks a question %s, and the run ends (S0-33)', async (_, given, more, said) => {
    const run = await played('asking-lead', given, ...more)
    expect(run.said).toContain(said)
    expect([run.code, run.printed]).toEqual([0, 'All done.\n'])
  })
})
