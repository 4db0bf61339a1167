// biome-ignore-all lint/suspicious/noTemplateCurlyInString: settings name their secrets in this way
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noSecrets } from '../ports/hooks'
import { createRedact } from '../secrets/redact'
import { openFileMcp, readFileServers } from './file-mcp'
import { listed, writeTools } from './servers-set-up.fixture'

vi.setConfig({ testTimeout: 30_000 })

let folder: string
const closing: (() => Promise<void>)[] = []
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'file-mcp-')))
  fs.mkdirSync(path.join(folder, 'files'))
  writeTools(path.join(folder, 'files'), { look: 'looks' })
})
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
  fs.rmSync(folder, { recursive: true, force: true })
})

function open(mcpServers: object, more: { search?: string; noStdio?: boolean } = {}) {
  const name = path.join(folder, 'mcp.json')
  fs.writeFileSync(name, JSON.stringify({ mcpServers }))
  const file = readFileServers(name)
  const mcp = openFileMcp({
    ...{ file, data: path.join(folder, 'data'), search: process.env.PATH ?? '', noStdio: false },
    ...{ allowHosts: [], version: '0.0.0', openSecret: noSecrets, redact: createRedact(() => []) },
    ...more,
  })
  closing.push(mcp.close)
  const call = (server: string) =>
    mcp.connections.call(
      { server, tool: 'look', args: {}, onProgress: () => undefined, keep: async () => undefined },
      new AbortController().signal,
    )
  return { file, call }
}

const entry = (more: object = {}) => {
  const { transport, ...reach } = listed(path.join(folder, 'files'), [], { TOKEN: 'SEC-in-the-file-123' })
  return { ...reach, unwalled: true, ...more }
}

test('S0-26 a command uses the servers of the file, with the secrets that the file contains', async () => {
  const { file, call } = open({ it: entry(), bad: {} })
  expect(file.problems).toEqual([expect.stringContaining('bad:')])
  expect(JSON.stringify([...file.servers])).not.toContain('SEC-in-the-file-123')
  const output = await call('it')
  expect(output).toMatchObject({ ok: true })
  expect(JSON.stringify(output)).toContain('SEC-in-the-file-123')
})

test('T8 without a wall it starts no program that the file does not allow to run without one', async () => {
  const { call } = open({ it: entry({ unwalled: false }) }, { search: '/nowhere' })
  expect(await call('it')).toMatchObject({ ok: false, message: expect.stringContaining('confines') })
})

test('a secret that the file contains goes to no other server of it', async () => {
  const { call } = open({ it: entry(), other: entry({ env: { X: '${IT_TOKEN}' } }) })
  expect(await call('other')).toMatchObject({ ok: false, message: expect.stringContaining('IT_TOKEN') })
})

test('it starts no program where LOOPWRIGHT_NO_STDIO is set', async () => {
  const { call } = open({ it: entry() }, { noStdio: true })
  expect(await call('it')).toMatchObject({
    ok: false,
    message: expect.stringContaining('LOOPWRIGHT_NO_STDIO'),
  })
})
