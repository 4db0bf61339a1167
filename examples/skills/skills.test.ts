/** The example with a skill, run from the command line, which finds the skill beside the agent’s file. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

let place = ''
beforeEach(() => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-skill-examples-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

async function play(file: string, ...more: readonly string[]) {
  const terminal = testTerminal({ folder: place })
  const places = ['--data', path.join(place, 'data'), '--workspace', path.join(place, 'workspace')]
  const code = await main(['run', file, 'Go.', '--json', ...places, ...more], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, said: terminal.said, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

const example = (name: string) => path.join(import.meta.dirname, `${name}.json`)

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)

const textsOf = (events: readonly RunEvent[]) => all(events, 'call.finished').map(({ result }) => result.text)

describe('the example with a skill', { timeout: 60_000 }, () => {
  test('S4-42 note-taker reads the skill, writes notes and lets its script check them', async () => {
    const { code, said, events } = await play(example('note-taker'), '--yes')
    expect([code, said]).toEqual([0, ''])
    expect(all(events, 'run.started')[0]?.skills).toMatchObject([
      { node: 'skills/0', name: 'meeting-notes', description: /^Turns a rough record/ },
    ])
    expect(ends(events)).toEqual(['skill.load ok', 'skill.load ok', 'files.create ok', 'skill.run ok'])
    const [instructions, format, , checked] = textsOf(events)
    expect(instructions).toContain('Read `references/format.md`')
    expect(instructions).not.toContain('allowed-tools')
    expect(instructions).toContain('- scripts/check.sh (')
    expect(format).toContain('## Decisions')
    expect(checked).toContain('Exit code 0.')
    expect(checked).toContain('tasks: 2')
    expect(all(events, 'call.finished')[3]?.metadata).toMatchObject({
      skill: 'meeting-notes',
      script: 'scripts/check.sh',
      exitCode: 0,
    })
    expect(readFileSync(path.join(place, 'workspace', 'notes.md'), 'utf8')).toContain('## Tasks')
  })

  test('S4-42 note-taker-errs names a file that is not there, then mends what the script misses', async () => {
    const { code, events } = await play(example('note-taker-errs'), '--yes')
    expect(code).toBe(0)
    expect(ends(events)).toEqual([
      'skill.load error',
      'skill.load ok',
      'files.create ok',
      'skill.run ok',
      'files.create ok',
      'skill.run ok',
    ])
    const [missing, , , first, , second] = textsOf(events)
    expect(missing).toContain(
      'has no file “format.md”. It has: SKILL.md, references/format.md, scripts/check.sh.',
    )
    expect(first).toMatch(/Exit code 1\.[\s\S]*missing: ## Decisions/)
    expect(second).toContain('Exit code 0.')
  })

  test('S4-42 a script is asked for, and does not run when nobody says yes', async () => {
    const { events } = await play(example('note-taker'))
    expect(ends(events).at(-1)).toBe('skill.run denied')
    expect(all(events, 'approval.requested')).toHaveLength(1)
  })

  test('S4-42 elsewhere the run says which skill is lacking and how to bring it, and goes on without', async () => {
    const file = path.join(place, 'moved.json')
    writeFileSync(file, readFileSync(example('note-taker')))
    const { said, events } = await play(file)
    expect(said).toContain(
      'moved.json:skills/0/name: warning: There is no skill “meeting-notes” (sha256:708338bf…) here, so the agent runs without it. Put its folder into a folder “skills” beside the agent’s file, or name the folder that has it with --skills.',
    )
    expect(all(events, 'run.started')[0]?.tools.withheld.map(({ name, reason }) => [name, reason])).toEqual([
      ['skill:meeting-notes', 'there is no skill “meeting-notes” here'],
      ['skill.load', 'none of the agent’s skills can be used'],
      ['skill.run', 'no skill of the agent has a script'],
    ])
    expect(all(events, 'run.started')[0]?.skills).toBeUndefined()
    const named = await play(file, '--yes', '--skills', import.meta.dirname)
    expect([named.code, named.said]).toEqual([0, ''])
  })

  test('S4-42 a skill with other files than the agent names is off', async () => {
    cpSync(path.join(import.meta.dirname, 'meeting-notes'), path.join(place, 'skills', 'meeting-notes'), {
      recursive: true,
    })
    writeFileSync(path.join(place, 'skills', 'meeting-notes', 'references', 'format.md'), 'Anything goes.\n')
    writeFileSync(path.join(place, 'agent.json'), readFileSync(example('note-taker')))
    const { said, events } = await play(path.join(place, 'agent.json'), '--yes')
    expect(said).toContain('The skill “meeting-notes” has changed, and is off until you have looked')
    expect(all(events, 'run.started')[0]?.tools.withheld[0]).toMatchObject({
      name: 'skill:meeting-notes',
      entry: 'skills/0',
      reason: 'it has changed since a person looked at it',
    })
  })

  test('an agent that another calls finds its skills in the same places', async () => {
    cpSync(path.join(import.meta.dirname, 'meeting-notes'), path.join(place, 'skills', 'meeting-notes'), {
      recursive: true,
    })
    writeFileSync(path.join(place, 'note-taker.json'), readFileSync(example('note-taker')))
    const turns = [{ calls: [{ name: 'note-taker', args: { task: 'Write the notes.' } }] }, { text: 'Done.' }]
    const lead = {
      name: 'lead',
      model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
      tools: [{ use: 'agent', agent: 'note-taker' }],
    }
    writeFileSync(path.join(place, 'lead.json'), JSON.stringify(lead))
    const { code, said, events } = await play(path.join(place, 'lead.json'), '--yes')
    expect([code, said]).toEqual([0, ''])
    const loads = all(events, 'call.finished').filter(({ name }) => name === 'skill.load')
    expect(loads.map(({ parent, status }) => [parent, status])).toContainEqual(['call_1_1', 'ok'])
  })
})
