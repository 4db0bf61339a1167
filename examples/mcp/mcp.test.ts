/** The examples that use MCP servers, run from the command line against the real servers. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { npmServer } from '#lib/mcp/servers.fixture'
import { openHouse } from '#lib/server/house.fixture'
import { at, root } from '#lib/setup/place.mjs'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

let place = ''
beforeEach(() => {
  place = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'loopwright-mcp-examples-')))
  mkdirSync(path.join(place, 'docs'), { recursive: true })
  mkdirSync(path.join(place, 'memory'))
  writeFileSync(path.join(place, 'docs', 'README.md'), '# Harbour\nThe first line of the text.\n')
  writeFileSync(path.join(place, 'docs', 'figures.csv'), 'a,b\n1,2\n')
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

const memoryFile = () => path.join(place, 'memory', 'memory.jsonl')

/** The operator's file with both servers. */
function writeServers(): string {
  const file = path.join(place, 'mcp.json')
  const docs = path.join(place, 'docs')
  const packages = at('node_modules')
  const memory = { ...npmServer('server-memory'), env: { MEMORY_FILE_PATH: memoryFile() } }
  const mcpServers = {
    filesystem: { ...npmServer('server-filesystem', docs), read: [packages], write: [docs], unwalled: true },
    memory: { ...memory, read: [packages], write: [path.dirname(memoryFile())], unwalled: true },
  }
  writeFileSync(file, JSON.stringify({ mcpServers }))
  return file
}

/** Runs an example; no variable holds a key of a model. */
async function play(name: string, servers = writeServers()) {
  const env = {
    ...{ PATH: process.env.PATH ?? '', LOOPWRIGHT_ROOT: root },
    LOOPWRIGHT_MCP_CONFIG: servers,
  }
  const terminal = testTerminal({ folder: import.meta.dirname, env })
  const data = path.join(place, 'data')
  const code = await main(['run', `${name}.json`, 'Go.', '--json', '--data', data], terminal)
  const lines = terminal.printed.trimEnd().split('\n')
  const events = lines.map((line) => runEvent.parse(JSON.parse(line)))
  return { code, said: terminal.said, events }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const ends = (events: readonly RunEvent[]) =>
  all(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)

const textsOf = (events: readonly RunEvent[]) => all(events, 'call.finished').map(({ result }) => result.text)

describe('the examples with MCP servers', { timeout: 60_000 }, () => {
  test('file-explorer lists a folder, searches it and reads a file', async () => {
    const { code, said, events } = await play('file-explorer')
    expect([code, said]).toEqual([0, ''])
    expect(all(events, 'run.started')[0]?.tools.offered.map(({ name }) => name)).toEqual([
      'filesystem.directory_tree',
      'filesystem.get_file_info',
      'filesystem.list_directory',
      'filesystem.read_text_file',
      'filesystem.search_files',
    ])
    expect(ends(events)).toEqual([
      'filesystem.list_directory ok',
      'filesystem.search_files ok',
      'filesystem.read_text_file ok',
    ])
    const [listed, found, text] = textsOf(events)
    expect(listed).toContain('[FILE] figures.csv')
    expect(found).toContain(path.join(place, 'docs', 'README.md'))
    expect(text).toContain('The first line of the text.')
  })

  test('validate names the server that is missing, and a run without it says so as well', async () => {
    const terminal = testTerminal({ folder: import.meta.dirname, env: { LOOPWRIGHT_ROOT: root } })
    for (const [example, server] of [
      ['file-explorer', 'filesystem'],
      ['memory-keeper-errs', 'memory'],
    ] as const) {
      await main(['validate', `${example}.json`], terminal)
      expect(terminal.said + terminal.printed).toContain(`No MCP server “${server}” is set up here`)
    }
    const none = path.join(place, 'none.json')
    writeFileSync(none, '{"mcpServers":{}}')
    const { events } = await play('file-explorer', none)
    expect(all(events, 'run.started')[0]?.tools.withheld).toMatchObject([
      { name: 'filesystem.*', reason: 'there is no MCP server “filesystem” in the settings' },
    ])
  })

  test('a new data folder has none of them, because it has no servers', () => {
    const house = openHouse({ examples: path.dirname(import.meta.dirname) })
    const names = house.app.agents.list().items.map(({ name }) => name)
    expect(names).toContain('calculator')
    expect(names.filter((name) => /explorer|memory/.test(name))).toEqual([])
    return house.end()
  })

  test('file-explorer-errs goes on after a missing argument, a file out of reach and a denied call', async () => {
    const { code, events } = await play('file-explorer-errs')
    expect(code).toBe(0)
    expect(ends(events)).toEqual([
      'filesystem.read_text_file error',
      'filesystem.read_text_file ok',
      'filesystem.read_text_file error',
      'filesystem.write_file denied',
      'filesystem.list_directory ok',
    ])
    expect(all(events, 'call.finished')[0]?.code).toBe('args_schema')
    const [missing, , outside, denied, listed] = textsOf(events)
    expect(missing).toContain('path')
    expect(outside).toContain('Access denied')
    expect(denied).toContain('skills denies')
    expect(listed).not.toContain('note.txt')
    expect(all(events, 'run.finished')[0]).toMatchObject({ status: 'completed' })
  })

  test('memory-keeper stores what it is told, and finds it in the next run', async () => {
    const first = await play('memory-keeper')
    expect([first.code, first.said]).toEqual([0, ''])
    expect(ends(first.events)).toEqual([
      'memory.search_nodes ok',
      'memory.create_entities ok',
      'memory.create_relations ok',
      'memory.open_nodes ok',
    ])
    expect(textsOf(first.events)[0]).not.toContain('Lisbon')
    expect(textsOf(first.events)[3]).toContain('lives in Lisbon')
    expect(readFileSync(memoryFile(), 'utf8')).toContain('lives in Lisbon')
    const second = await play('memory-keeper')
    expect(textsOf(second.events)[0]).toContain('lives in Lisbon')
  })

  test('memory-keeper-errs goes on after a wrong argument, an unknown person and a call beyond the limit', async () => {
    const { code, events } = await play('memory-keeper-errs')
    expect(code).toBe(0)
    expect(ends(events)).toEqual([
      'memory.create_entities error',
      'memory.add_observations error',
      'memory.create_entities ok',
      'memory.read_graph skipped',
    ])
    expect(all(events, 'call.finished')[0]?.code).toBe('args_schema')
    const [wrong, unknown, , beyond] = textsOf(events)
    expect(wrong).toContain('entities')
    expect(unknown).toContain('Nobody')
    expect(beyond).toContain('2 MCP calls')
    expect(readFileSync(memoryFile(), 'utf8')).toContain('wrote a compiler')
  })
})
