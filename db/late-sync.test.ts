/** Late commits are seen at once, counted until they are on disk, and a failing disk has SQLite's own code. */
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { storeFault } from './fault'
import { lateSync } from './late-sync'
import { openClient } from './open'
import { temporaryFolder } from './rows.fixture'

let place: ReturnType<typeof temporaryFolder>
let client: SqliteConnection
beforeEach(() => {
  place = temporaryFolder()
  client = openClient(path.join(place.folder, 'loopwright.db'))
  client.exec('create table notes (text)')
})
afterEach(() => {
  client.close()
  place.remove()
})

const count = () => client.prepare('select count(*) from notes').pluck().get()
const add = () => client.prepare("insert into notes values ('x')").run()
const level = () => client.pragma('synchronous', { simple: true })

it('a late transaction does not wait for the disk, and the next ordinary one does', () => {
  const late = lateSync(client)
  const during = late.write(() => {
    add()
    return level()
  })
  expect([during, level(), count()]).toEqual([1, 2, 1])
  expect(() =>
    late.write(() => {
      throw new Error('refused')
    }),
  ).toThrow('refused')
  expect(level()).toBe(2)
  late.close()
})

it('all that was written before is on disk once a sync resolves, for every caller', async () => {
  const late = lateSync(client)
  await late.sync()
  late.write(add)
  const first = late.sync()
  late.write(add)
  const second = late.sync()
  late.syncNow()
  await Promise.all([first, second, late.sync()])
  expect(count()).toBe(2)
  late.close()
})

it('a log that cannot be written is a fault of the disk, for every caller and for the next attempt', async () => {
  const name = path.join(place.folder, 'missing', 'loopwright.db')
  const late = lateSync({ name, exec: client.exec.bind(client) })
  late.write(add)
  const failures = await Promise.all([late.sync().catch(storeFault), late.sync().catch(storeFault)])
  expect(failures).toEqual(['io', 'io'])
  expect(() => late.syncNow()).toThrow('could not be written to the disk')
  await expect(late.sync()).rejects.toThrow('could not be written to the disk')
})
