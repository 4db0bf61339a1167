/** The examples that use an API, run from the command line against it on a local port. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { readDocument } from '#lib/openapi/read'
import { openHouse } from '#lib/server/house.fixture'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'
import { documentOf, startNotes } from './notes-api.mjs'

let place = ''
let notes: { url: string; close(): void }
beforeEach(async () => {
  place = mkdtempSync(path.join(os.tmpdir(), 'loopwright-api-examples-'))
  notes = await startNotes()
})
afterEach(() => {
  notes.close()
  rmSync(place, { recursive: true, force: true })
})

/** Runs an example against the API of this test, which the operator has allowed. */
async function play(name: string, allowed = new URL(notes.url).host) {
  const config = JSON.parse(readFileSync(path.join(import.meta.dirname, `${name}.json`), 'utf8'))
  config.tools[0].baseUrl = notes.url
  const file = path.join(place, `${name}.json`)
  writeFileSync(file, JSON.stringify(config))
  const terminal = testTerminal({ folder: place, env: { LOOPWRIGHT_ALLOW_HOSTS: allowed } })
  const code = await main(['run', file, 'Go.', '--json', '--data', path.join(place, 'data')], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  return { code, said: terminal.said, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)

const textsOf = (events: readonly RunEvent[]) => all(events, 'call.finished').map(({ result }) => result.text)

describe('the examples with an API', { timeout: 30_000 }, () => {
  test('api-caller lists notes, reads one and adds one', async () => {
    const { code, said, events } = await play('api-caller')
    expect([code, said]).toEqual([0, ''])
    expect(ends(events)).toEqual(['notes.listNotes ok', 'notes.getNote ok', 'notes.addNote ok'])
    const [listed, , added] = textsOf(events)
    expect(listed).toContain('Tuesday at ten')
    expect(listed).not.toContain('Shopping')
    expect(added).toContain('"id":3')
    const left = await (await fetch(`${notes.url}/notes/3`)).json()
    expect(left).toMatchObject({ title: 'Reminder', tag: 'work' })
  })

  test('api-caller-errs goes on after a wrong argument and a note that does not exist', async () => {
    const { code, events } = await play('api-caller-errs')
    expect(code).toBe(0)
    expect(ends(events)).toEqual([
      'notes.getNote error',
      'notes.getNote error',
      'notes.listNotes ok',
      'notes.getNote ok',
    ])
    const [wrong, missing] = all(events, 'call.finished')
    expect(wrong?.code).toBe('args_schema')
    expect(missing?.code).toBe('http_status')
    expect(missing?.result.text).toContain('status 404: {"error":"There is no note 99."}')
    expect(all(events, 'run.finished')[0]).toMatchObject({ status: 'completed' })
  })

  test('T22 a private address is refused until the operator allows it', async () => {
    const { events } = await play('api-caller', '')
    expect(ends(events)).toEqual(['notes.listNotes error'])
    expect(textsOf(events)[0]).toContain('LOOPWRIGHT_ALLOW_HOSTS')
    expect(all(events, 'run.finished')[0]?.answer).toBe(
      'The notes could not be read. The result above says why.',
    )
  })

  test('the operations of the examples are those of the document', () => {
    const read = readDocument(JSON.stringify(documentOf('http://127.0.0.1:8787')))
    const known = new Map(read.ok ? read.value.operations.map(({ name, hash }) => [name, hash]) : [])
    for (const name of ['api-caller', 'api-caller-errs']) {
      const config = JSON.parse(readFileSync(path.join(import.meta.dirname, `${name}.json`), 'utf8'))
      for (const each of config.tools[0].operations) expect(each.hash).toBe(known.get(each.name))
    }
  })

  test('a new data folder has none of them, because the API is not there', () => {
    const house = openHouse({ examples: path.dirname(import.meta.dirname) })
    const names = house.app.agents.list().items.map(({ name }) => name)
    expect(names).toContain('calculator')
    expect(names.filter((name) => name.startsWith('api-'))).toEqual([])
    return house.end()
  })
})
