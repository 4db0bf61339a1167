import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import type { Stores } from '#lib/spec/store'
import type { StoreTrouble } from '#lib/spec/store-health'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { storeFault } from './fault'
import { openClient, storesOver } from './open'
import {
  agentRow,
  appended,
  numbered,
  queued,
  runRow,
  started,
  temporaryFolder,
  threadRow,
} from './rows.fixture'

let place: ReturnType<typeof temporaryFolder>
let file: string
let client: SqliteConnection
let stores: Stores
let told: (StoreTrouble | undefined)[]
beforeEach(() => {
  place = temporaryFolder()
  file = path.join(place.folder, 'loopwright.db')
  open()
  stores.agents.insert(agentRow({ description: 'x'.repeat(50_000) }))
  stores.runs.insert(runRow(), queued(), threadRow())
  client.pragma('wal_checkpoint(full)')
})
afterEach(() => {
  stores.close()
  place.remove()
})

function open(): void {
  client = openClient(file)
  stores = storesOver(client)
  told = []
  stores.health.onChange((trouble) => told.push(trouble))
}
const append = () => stores.runs.append([appended('run_1', numbered(2, started))])
const overwrite = (text: string) => writeFileSync(file, text, { flag: 'r+' })
const copy = () => path.join(place.folder, 'copy.db')

describe('a database whose file is harmed while it is open', () => {
  const harms: [string, () => void, RegExp][] = [
    ['deleted', () => unlinkSync(file), /loopwright\.db has been moved or deleted/],
    ['moved', () => renameSync(file, copy()), /loopwright\.db has been moved or deleted/],
    ['replaced', () => replaceByCopy(), /loopwright\.db has been replaced by another file/],
    ['emptied', () => truncateSync(file), /loopwright\.db has been cut short/],
    ['cut short', () => truncateSync(file, 10_000), /loopwright\.db has been cut short/],
    [
      'overwritten',
      () => overwrite('a letter to a friend '.repeat(9)),
      /loopwright\.db has been overwritten/,
    ],
    ['left without its log', () => unlinkSync(`${file}-wal`), /loopwright\.db-wal, has been moved, deleted/],
  ]

  it.each(harms)('takes no more writes once it is %s, and says why and what to do', (_, harm, words) => {
    expect(stores.health.check()).toBeUndefined()
    harm()
    for (const write of [append, () => stores.settings.set('x', 1), () => stores.threads.remove('thread_2')])
      expect(write).toThrow(
        expect.toSatisfy(
          (error) => isAppError(error) && error.code === 'unavailable' && words.test(error.message),
        ),
      )
    expect(stores.health.check()).toMatchObject({ fault: 'broken', message: expect.stringMatching(words) })
    expect(stores.health.trouble?.message).toContain(
      'Stop the server, restore the database or a backup of it',
    )
    expect(stores.health.trouble?.message).not.toContain(place.folder)
    expect(told).toHaveLength(1)
  })

  it('is found out by a look alone, without a statement', () => {
    unlinkSync(file)
    expect(stores.health.check()?.fault).toBe('broken')
  })

  it('still gives what it can read', () => {
    unlinkSync(file)
    expect(stores.agents.heads()).toHaveLength(1)
  })

  it('is whole again when it is moved back', async () => {
    renameSync(file, copy())
    expect(stores.health.check()?.fault).toBe('broken')
    renameSync(copy(), file)
    await sleep(600)
    expect(stores.health.check()).toBeUndefined()
    expect(append()).toEqual(new Set())
    expect(told).toEqual([expect.anything(), undefined])
  })

  it('loses nothing that was stored before it was moved', () => {
    stores.settings.set('last', 'word')
    renameSync(file, copy())
    expect(() => stores.settings.set('last', 'lost')).toThrow()
    stores.close()
    renameSync(copy(), file)
    open()
    expect(stores.settings.get('last')).toBe('word')
  })

  it('is broken for good once a statement finds it damaged', () => {
    const bytes = readFileSync(file)
    bytes.fill(0xff, 4_096)
    writeFileSync(file, bytes)
    client.pragma('cache_size = 1')
    client.exec("attach database ':memory:' as other; detach database other")
    const read = () => {
      stores.agents.heads()
      stores.runs.list({})
      stores.secrets.list()
    }
    expect(read).toThrow(expect.toSatisfy((error) => storeFault(error) === 'broken' && isAppError(error)))
    writeFileSync(file, bytes)
    expect(stores.health.check()?.message).toContain('is damaged or has been overwritten')
  })
})

function replaceByCopy(): void {
  copyFileSync(file, copy())
  rmSync(file)
  renameSync(copy(), file)
}

it('a database that another program makes smaller in order is not taken for a harmed one', () => {
  const removed = stores.agents.remove('agent_1', 1) && stores.agents.purge(2)
  const other = new Database(file)
  other.exec('vacuum')
  other.pragma('wal_checkpoint(truncate)')
  other.close()
  expect([removed, stores.health.check()]).toEqual([1, undefined])
  expect(append()).toEqual(new Set())
})

it('a database that can be read alone is told, and is over when it can be written again', async () => {
  client.pragma('query_only = on')
  expect(append).toThrow(expect.toSatisfy((error) => storeFault(error) === 'io'))
  expect(append).toThrow()
  expect(stores.health.check()).toMatchObject({
    fault: 'io',
    message: expect.stringContaining('is read-only'),
  })
  expect(stores.runs.get('run_1')?.seq).toBe(1)
  client.pragma('query_only = off')
  await sleep(600)
  expect(stores.health.check()).toBeUndefined()
  expect(told).toEqual([expect.anything(), undefined])
  expect(append()).toEqual(new Set())
})

it('a full disk is told, and is over when there is room', async () => {
  const pages = Number(client.pragma('page_count', { simple: true }))
  client.pragma(`max_page_count = ${pages}`)
  expect(() => stores.settings.set('long', 'x'.repeat(500_000))).toThrow(
    expect.toSatisfy((error) => storeFault(error) === 'full'),
  )
  expect(stores.health.trouble).toMatchObject({
    fault: 'full',
    message: expect.stringContaining('Free some space'),
  })
  client.pragma('max_page_count = 100000')
  expect(stores.health.check()).toBeUndefined()
  stores.settings.set('long', 'x'.repeat(500_000))
})

it('a lock of another process is no trouble of the database', () => {
  const other = new Database(file)
  other.exec('begin immediate')
  expect(append).toThrow(expect.toSatisfy((error) => storeFault(error) === 'busy'))
  expect(stores.health.check()).toBeUndefined()
  other.close()
})
