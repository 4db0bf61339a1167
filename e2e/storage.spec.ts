/**
 * A person's work when the files below a server are moved, replaced or blocked, or the server is killed while
 * it writes them.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { begin, call, createAgent, scriptedConfig, type Turn } from './api'
import { test } from './journey'
import { type OwnServer, ownServer } from './own-server'
import { deepOnly } from './test-depth'

// Each test starts a server several times.
test.describe.configure({ timeout: 180_000 })

let server: OwnServer
let agents = 0
test.beforeEach(async () => {
  server = await ownServer()
})
test.afterEach(() => server.dispose())

const place = (name: string) => path.join(server.dataFolder, name)
const step: Turn = {
  text: 'One step more.',
  calls: [{ name: 'math.calculate', args: { expression: '6*7' } }],
}
const longConfig = () => {
  const turns = [...Array.from({ length: 40 }, () => step), { text: 'All is done.' }]
  const config = scriptedConfig('long-worker', turns)
  return { ...config, model: { provider: 'scripted', name: 'script', turns, paceMs: 20 } }
}

/** A thread with a file from a person. */
async function threadWithFile(text: string): Promise<{ threadId: string; fileId: string }> {
  const agentId = await createAgent(server.url, scriptedConfig(`keeper-${agents++}`, [{ text: 'Yes.' }]))
  const { id: threadId } = await call<{ id: string }>(`${server.url}/api/threads`, { agentId })
  const given = await fetch(`${server.url}/api/threads/${threadId}/files?name=mine.txt`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: text,
  })
  expect(given.status).toBe(201)
  const { id: fileId } = (await given.json()) as { id: string } // cast: the answer of an upload
  return { threadId, fileId }
}

async function expectFile({ threadId, fileId }: { threadId: string; fileId: string }, text: string) {
  const inThread = await fetch(`${server.url}/api/threads/${threadId}/files/uploads/mine.txt`)
  expect([inThread.status, await inThread.text()]).toEqual([200, text])
  const kept = await fetch(`${server.url}/api/artifacts/${fileId}`)
  expect([kept.status, await kept.text()]).toEqual([200, text])
}

test(
  'files of threads outlive a database that is moved aside, and are found again when it is back',
  deepOnly,
  async () => {
    await server.start()
    const old = await threadWithFile('the same words')
    await server.stop('SIGTERM')
    fs.renameSync(place('loopwright.db'), place('aside.db'))

    await server.start()
    // A person continues with an empty database: the same content is added and removed.
    const fresh = await threadWithFile('the same words')
    await call(`${server.url}/api/threads/${fresh.threadId}`, undefined, { method: 'DELETE', status: 204 })
    expect(fs.existsSync(place(`workspaces/${fresh.threadId}`))).toBe(false)
    expect(server.log).toContain('one workspace belongs to no thread of this database')
    await server.stop('SIGTERM')
    fs.renameSync(place('loopwright.db'), place('fresh.db'))
    fs.renameSync(place('aside.db'), place('loopwright.db'))

    await server.start()
    await expectFile(old, 'the same words')
  },
)

test('files of threads outlive an older backup in the place of their database', deepOnly, async () => {
  await server.start()
  const first = await threadWithFile('in the backup and after')
  await server.stop('SIGTERM')
  fs.copyFileSync(place('loopwright.db'), place('backup.db'))
  await server.start()
  const second = await threadWithFile('in the backup and after')
  await server.stop('SIGTERM')
  fs.renameSync(place('loopwright.db'), place('newer.db'))
  fs.renameSync(place('backup.db'), place('loopwright.db'))

  await server.start()
  await expectFile(first, 'in the backup and after')
  await call(`${server.url}/api/threads/${first.threadId}`, undefined, { method: 'DELETE', status: 204 })
  await server.stop('SIGTERM')
  fs.renameSync(place('newer.db'), place('loopwright.db'))

  await server.start()
  await expectFile(second, 'in the backup and after')
})

test(
  'a server whose database is moved away says so to machine, log and person, and its runs go on after a restart',
  deepOnly,
  async ({ page }) => {
    await server.start()
    const agentId = await createAgent(server.url, longConfig())
    await page.addInitScript(() => localStorage.setItem('loopwright:tour', 'left'))
    await page.goto(`${server.url}/agents/${agentId}`)
    await expect(page.getByRole('textbox', { name: 'Question' })).toBeVisible()
    const runId = await begin(server.url, agentId, 'Work on.')
    fs.renameSync(place('loopwright.db'), place('away.db'))

    const health = await fetch(`${server.url}/api/health`)
    expect(health.status).toBe(503)
    expect(((await health.json()) as { error: { message: string } }).error.message).toMatch(
      /The database file loopwright\.db has been moved or deleted.*Stop the server/,
    )
    const statusOf = async () => {
      const run = await call<{ status: string; error: { message: string } | null }>(
        `${server.url}/api/runs/${runId}`,
      )
      return [run.status, run.error?.message ?? '']
    }
    await expect.poll(statusOf).toEqual(['interrupted', expect.stringContaining('runs are paused')])
    await page.getByRole('textbox', { name: 'Question' }).fill('Still there?')
    await page.keyboard.press('Enter')
    await expect(page.getByText('has been moved or deleted while in use').first()).toBeVisible()

    expect(await server.stop('SIGTERM')).toBe(0)
    expect(server.log.match(/has been moved or deleted/g)).toHaveLength(1)
    expect(server.log).not.toMatch(/\n {4}at /)
    fs.renameSync(place('away.db'), place('loopwright.db'))
    await server.start()
    await expect.poll(statusOf, { timeout: 40_000 }).toEqual(['completed', ''])
  },
)

test(
  'a file in the place of a folder, or an emptied database beside its log, ends the start in one sentence',
  deepOnly,
  async () => {
    fs.writeFileSync(place('workspaces'), 'mine')
    await expect(server.start()).rejects.toThrow('ended with 1')
    expect(server.log.trim().split('\n').at(-1)).toBe(
      `${place('workspaces')} is a file, but Loopwright keeps a folder under that name. Move it away and start again. Nothing was changed.`,
    )
    expect(fs.readFileSync(place('workspaces'), 'utf8')).toBe('mine')
    fs.rmSync(place('workspaces'))

    await server.start()
    await server.stop('SIGKILL')
    fs.truncateSync(place('loopwright.db'))
    const log = fs.readFileSync(place('loopwright.db-wal'))
    await expect(server.start()).rejects.toThrow('ended with 1')
    expect(server.log.trim().split('\n').at(-1)).toMatch(/loopwright\.db is empty, but the log next to it/)
    expect(fs.statSync(place('loopwright.db')).size).toBe(0)
    expect(fs.readFileSync(place('loopwright.db-wal')).equals(log)).toBe(true)
  },
)

test('what a killed server left in its temporary folder is gone after the next start', deepOnly, async () => {
  await server.start()
  await server.stop('SIGKILL')
  fs.mkdirSync(place('tmp/loopwright-sandbox-left'), { recursive: true })
  fs.writeFileSync(place('tmp/loopwright-sandbox-left/canary'), 'x')
  await server.start()
  expect(fs.existsSync(place('tmp/loopwright-sandbox-left'))).toBe(false)
})
