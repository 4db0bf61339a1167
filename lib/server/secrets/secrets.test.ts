import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TemporaryStores, temporaryStores } from '#db/rows.fixture'
import type { Stores } from '#lib/spec/store'
import { seal, unseal } from './secret-key'
import { createVault, type Vault } from './secrets'

const value = 'sk-a-secret-of-some-length'
const origin = 'https://api.example.com'

let place: TemporaryStores
let stores: Stores
let vault: Vault
const vaultOf = () => createVault({ store: stores.secrets, folder: place.folder, clock: { now: () => 5 } })
const file = () => path.join(place.folder, 'secret.key')

beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  vault = vaultOf()
})
afterEach(() => place.end())

describe('secrets', () => {
  test('T42 the key is made at first need, in a file that only this user may read, and the database holds no secret', () => {
    expect(vault.list()).toEqual([])
    expect(fs.existsSync(file())).toBe(false)
    vault.save({ name: 'WEATHER_KEY', value, origins: [origin] })
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600)
    expect(fs.readFileSync(file())).toHaveLength(32)
    expect(fs.readdirSync(place.folder).filter((name) => name.startsWith('secret'))).toEqual(['secret.key'])
    for (const name of fs.readdirSync(place.folder))
      expect(fs.readFileSync(path.join(place.folder, name)).includes(value)).toBe(false)
    expect(vaultOf().open('WEATHER_KEY', origin)).toEqual({ ok: true, value })
    fs.chmodSync(file(), 0o644)
    expect(vault.open('WEATHER_KEY', origin).ok).toBe(true)
    expect(fs.statSync(file()).mode & 0o777).toBe(0o600)
  })

  test('T44 a secret opens only for an origin in its list', () => {
    vault.save({ name: 'K', value, origins: [`${origin}/`, origin, 'http://127.0.0.1:80'] })
    expect(vault.get('K')?.origins).toEqual([origin, 'http://127.0.0.1'])
    for (const other of [
      'https://evil.example.com',
      'http://api.example.com',
      `${origin}:8443`,
      `${origin}.evil.io`,
    ])
      expect(vault.open('K', other)).toMatchObject({ ok: false, why: 'origin' })
    expect(vault.open('NO', origin)).toMatchObject({ ok: false, why: 'missing' })
    vault.save({ name: 'K', origins: [] })
    expect(vault.open('K', origin)).toMatchObject({ ok: false, why: 'origin' })
    expect(vault.values()).toEqual([value])
  })

  test('only what may be shown is shown', () => {
    expect(vault.save({ name: 'LONG', value }).hint).toBe('ngth')
    expect(vault.save({ name: 'SHORT', value: 'elevenchars' }).hint).toBe('')
    expect(() => vault.save({ name: 'NONE' })).toThrow('needs a value')
    for (const wrong of [
      'api.example.com',
      'ftp://x',
      'https://x/path',
      'https://u:p@x',
      'https://x/?q',
      'https://x#',
    ])
      expect(() => vault.save({ name: 'K', value, origins: [wrong] })).toThrow('http or https')
    expect(vault.get('K')).toBeUndefined()
  })

  test('with a wrong key file each secret says so, nothing is lost, and new ones work', () => {
    vault.save({ name: 'OLD', value, origins: [origin] })
    const right = fs.readFileSync(file())
    fs.writeFileSync(file(), Buffer.alloc(32, 1))
    const after = vaultOf()
    expect(after.open('OLD', origin)).toMatchObject({ ok: false, why: 'unreadable' })
    expect(after.problem('OLD')).toContain('secret.key is not the key that it was encrypted with')
    expect(after.values()).toEqual([])
    after.save({ name: 'NEW', value: 'another-long-secret', origins: [origin] })
    expect(after.open('NEW', origin)).toEqual({ ok: true, value: 'another-long-secret' })
    expect(after.list().map(({ name }) => name)).toEqual(['NEW', 'OLD'])
    fs.writeFileSync(file(), right)
    expect(after.open('OLD', origin)).toEqual({ ok: true, value })
    expect(after.values()).toEqual([value])
  })

  test('a missing key file is told, not made anew, until a secret is entered', () => {
    vault.save({ name: 'OLD', value, origins: [origin] })
    fs.rmSync(file())
    expect(vault.problem('OLD')).toContain('secret.key is missing')
    expect(fs.existsSync(file())).toBe(false)
    vault.save({ name: 'OLD', value, origins: [origin] })
    expect(vault.problem('OLD')).toBeUndefined()
  })

  test('a file that is no key is never written over', () => {
    fs.writeFileSync(file(), 'notes')
    expect(() => vault.save({ name: 'K', value })).toThrow('does not contain a key')
    expect(fs.readFileSync(file(), 'utf8')).toBe('notes')
    expect(vault.list()).toEqual([])
  })

  test('what is sealed opens under its own name alone, and not when a bit of it has changed', () => {
    const key = Buffer.alloc(32, 7)
    const sealed = seal(key, 'A', value)
    expect(unseal(key, 'A', sealed)).toBe(value)
    expect(unseal(key, 'B', sealed)).toBeUndefined()
    expect(seal(key, 'A', value).equals(sealed)).toBe(false)
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(unseal(key, 'A', changed)).toBeUndefined()
    }
    for (let length = 0; length < sealed.length; length += 1)
      expect(unseal(key, 'A', sealed.subarray(0, length))).toBeUndefined()
  })
})
