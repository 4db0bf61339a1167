import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStores } from '#db/open'
import { Database } from '#lib/sqlite/driver'
import type { SaveConnection } from '#lib/wire/databases'
import { saveConnection } from '#lib/wire/databases'
import { createVault, type Vault } from '../secrets/secrets'
import { createRegistry, type DatabaseRegistry } from './database-registry'
import { databaseSources, databasesUsing, storedDatabases } from './stored-databases'

let folder = ''
let stores: ReturnType<typeof openStores>
let vault: Vault
let registry: DatabaseRegistry

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-registry-'))
  stores = openStores(path.join(folder, 'loopwright.db'))
  vault = createVault({ store: stores.secrets, folder, clock: { now: () => 1 } })
  const sources = () => new Map(Object.entries(databaseSources(stores.settings, vault)))
  registry = createRegistry({ settings: stores.settings, vault, own: folder, sources })
})
afterEach(() => {
  stores.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const connection = (more: Partial<SaveConnection> = {}): SaveConnection =>
  saveConnection.parse({
    ...{ kind: 'postgresql', host: 'db.example.com', database: 'shop', user: 'reader', tls: 'verify' },
    ...more,
  })

/** What a connection would be opened with. */
function opened(name: string, mode: 'read' | 'write') {
  const source = databaseSources(stores.settings, vault)[name]
  return typeof source === 'object' && source.kind === 'postgresql' ? source.connect(mode) : source
}

describe('connections to databases', () => {
  it('have their passwords as secrets of their address, one for each role', () => {
    const write = { user: 'writer', password: 'password-two' }
    const view = registry.connect('sales-2025', connection({ password: 'password-one', write }))
    expect(view).toMatchObject({
      path: null,
      connection: {
        password: { secret: 'DB_SALES_2025_PASSWORD', hint: '-one' },
        write: { user: 'writer', password: { secret: 'DB_SALES_2025_WRITE_PASSWORD' } },
      },
    })
    expect(JSON.stringify([view, stores.settings.get('databases')])).not.toMatch(/password-(one|two)/)
    expect(vault.get('DB_SALES_2025_PASSWORD')?.origins).toEqual(['postgresql://db.example.com:5432'])
    expect(opened('sales-2025', 'read')).toMatchObject({
      value: { user: 'reader', password: 'password-one' },
    })
    expect(opened('sales-2025', 'write')).toMatchObject({
      value: { user: 'writer', password: 'password-two' },
    })
    expect(databasesUsing(stores.settings, 'DB_SALES_2025_WRITE_PASSWORD')).toEqual(['sales-2025'])
  })

  it('keep a password that is not typed again, but never send it to another address', () => {
    registry.connect('sales', connection({ password: 'password-one' }))
    registry.connect('sales', connection({ user: 'other' }))
    expect(opened('sales', 'read')).toMatchObject({ value: { user: 'other', password: 'password-one' } })
    expect(() => registry.connect('sales', connection({ host: 'evil.example.com' }))).toThrow(
      'another address',
    )
    expect(opened('sales', 'read')).toMatchObject({ value: { host: 'db.example.com' } })
    vault.save({ name: 'DB_SALES_PASSWORD', origins: ['https://example.com'] })
    expect(opened('sales', 'read')).toMatchObject({ ok: false })
    expect(JSON.stringify(opened('sales', 'read'))).not.toMatch(/db\.example|other/)
  })

  it('lose their passwords when they are removed, and the second when writing is turned off', () => {
    const write = { user: 'writer', password: 'password-two' }
    registry.connect('sales', connection({ password: 'password-one', write }))
    registry.connect('sales', connection())
    expect(vault.list().map(({ name }) => name)).toEqual(['DB_SALES_PASSWORD'])
    registry.remove('sales')
    expect(vault.list()).toEqual([])
  })

  it.each([
    ['retail', 'comes with Loopwright'],
    ['Sales!', 'lowercase letters'],
    ['a_b', 'too much like a-b'],
    ['x'.repeat(60), 'at most 44 characters'],
  ])('cannot be called %s', (name, message) => {
    registry.connect('a-b', connection())
    expect(() => registry.connect(name, connection())).toThrow(message)
  })

  it('are tested before they are stored, and a person reads the address in the message', async () => {
    const listener = net.createServer()
    const port = await new Promise<number>(
      (resolve) =>
        listener.listen(0, '127.0.0.1', () => resolve((listener.address() as net.AddressInfo).port)), // cast: it listens on a port
    )
    await new Promise((resolve) => listener.close(resolve))
    const tested = await registry.test(
      'sales',
      { connection: connection({ host: '127.0.0.1', port, tls: 'off' }) },
      new AbortController().signal,
    )
    expect(tested).toEqual({
      read: { ok: false, message: `127.0.0.1:${port} does not accept connections.` },
      write: null,
    })
    expect(registry.list().items.map(({ name }) => name)).toEqual(['retail'])
  })
})

describe('files as databases', () => {
  it('are stored as before, and may be written only when a person says so', async () => {
    const file = path.join(folder, 'mine.sqlite')
    new Database(file).exec('create table t (a)').close()
    expect(registry.register({ name: 'mine', path: file })).toEqual({
      name: 'mine',
      path: file,
      sample: false,
    })
    expect(storedDatabases(stores.settings)).toEqual({ mine: file })
    expect(registry.register({ name: 'mine', path: file, writable: true })).toMatchObject({ writable: true })
    expect(databaseSources(stores.settings, vault).mine).toEqual({ kind: 'sqlite', file, isWritable: true })
    expect(await registry.test('mine', {}, new AbortController().signal)).toMatchObject({
      read: { ok: true, version: expect.stringMatching(/^SQLite 3/), tables: 1 },
      write: { ok: true },
    })
  })
})
