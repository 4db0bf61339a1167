import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listed, writeTools } from '#lib/server/mcp/servers-set-up.fixture'
import { root } from '#lib/setup/place.mjs'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

vi.setConfig({ testTimeout: 30_000 })

let folder: string
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cli-mcp-')))
  fs.mkdirSync(path.join(folder, 'files'))
  writeTools(path.join(folder, 'files'), { look: 'looks' })
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('S0-26 a run at the command line uses the MCP servers of the file, and its trace shows no secret of it', async () => {
  const { transport, ...reach } = listed(path.join(folder, 'files'), [], { TOKEN: 'SEC-in-the-file-123' })
  const write = (name: string, value: unknown) =>
    fs.writeFileSync(path.join(folder, name), JSON.stringify(value))
  write('mcp.json', { mcpServers: { it: { ...reach, unwalled: true }, bad: {} } })
  write('agent.json', { name: 'looker', tools: [{ use: 'mcp', server: 'it' }] })
  write('script.json', [{ calls: [{ name: 'it.look', args: {} }] }, { text: 'Looked.' }])
  const env = {
    PATH: process.env.PATH ?? '',
    LOOPWRIGHT_ROOT: root,
    LOOPWRIGHT_MCP_CONFIG: './mcp.json',
    LOOPWRIGHT_DATA: path.join(folder, 'data'),
  }
  const terminal = testTerminal({ folder, env })
  const code = await main(['run', 'agent.json', 'Look.', '--script', 'script.json', '--yes'], terminal)
  expect([code, terminal.printed.trim()]).toEqual([0, 'Looked.'])
  expect(terminal.said).toContain('bad: ')
  expect(terminal.said).toContain('it.look')
  expect(terminal.said).toContain('[secret]')
  expect(terminal.said).not.toContain('SEC-in-the-file-123')
})
