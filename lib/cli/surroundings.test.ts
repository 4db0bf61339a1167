/** What a command that runs an agent opens around it, and that nothing of it stays open. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { Database } from '#lib/sqlite/driver'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
  place.remove()
})

const at = (name: string) => path.join(place.folder, name)
const agent = {
  name: 'reader',
  model: { provider: 'scripted', name: 'script', turns: [{ text: 'Done.' }] },
  tools: [{ use: 'knowledge', collections: ['handbook'] }],
  skills: [{ name: 'notes', hash: `sha256:${'0'.repeat(64)}` }],
}
function terminalWithAgent() {
  fs.writeFileSync(at('agent.json'), JSON.stringify(agent))
  return testTerminal({ folder: place.folder })
}

/** A data folder with one collection, whose database lacks what these statements remove. */
function dataFolder(older = ''): string {
  const stores = openStores(at('data/loopwright.db'))
  stores.knowledge.insert({ id: 'col_1', name: 'handbook', description: '', createdAt: 1 })
  stores.close()
  const client = new Database(at('data/loopwright.db'))
  client.exec(older)
  client.close()
  return at('data')
}

describe('S4-07 collections of a data folder', () => {
  test('are read with --data', async () => {
    const terminal = terminalWithAgent()
    expect(await main(['run', 'agent.json', 'Hi', '--data', dataFolder()], terminal)).toBe(0)
    expect(terminal.said).not.toContain('handbook')
    expect(terminal.said).toContain('Put its folder into a folder “skills” beside the agent’s file')
  })

  test('cannot be read before its server was started once since an update, which the warning says', async () => {
    const terminal = terminalWithAgent()
    const data = dataFolder('drop index passage_vectors_by_model; drop table skills')
    expect(await main(['run', 'agent.json', 'Hi', '--data', data], terminal)).toBe(0)
    expect(terminal.said).toContain(`Start the server of ${data} once, so that its collections can be read.`)
    expect(terminal.said).toContain(`Start the server of ${data} once, so that its skills can be read.`)
    expect(terminal.said).not.toContain('Name a folder with its documents')
  })
})

test.runIf(process.platform === 'linux')(
  'S4-07 a fault while a folder is read leaves nothing open and no file',
  async () => {
    fs.mkdirSync(at('docs'))
    fs.writeFileSync(at('docs/empty.md'), '')
    fs.mkdirSync(at('temporary'))
    vi.stubEnv('TMPDIR', at('temporary'))
    const data = dataFolder()
    const fault = new Error('The terminal is gone.')
    const terminal = terminalWithAgent()
    terminal.onText = (text) => {
      if (text.includes('empty.md')) throw fault
    }
    const args = ['run', 'agent.json', 'Hi', '--data', data, '--knowledge', 'handbook=docs']
    await expect(main(args, terminal)).rejects.toBe(fault)
    expect(fs.readdirSync(at('temporary'))).toEqual([])
    expect(openFiles()).toEqual([])
  },
)

/** The open files of this process within the folder of the test. */
function openFiles(): string[] {
  return fs
    .readdirSync('/proc/self/fd')
    .map((each) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${each}`)
      } catch {
        // The folder itself, which is closed by now.
        return ''
      }
    })
    .filter((each) => each.startsWith(place.folder))
}
