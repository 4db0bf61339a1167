import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queued, runRow, type TemporaryStores, temporaryStores, threadRow } from '#db/rows.fixture'
import type { Artifact } from '#lib/spec/artifact'
import type { FileAnswer } from '#lib/spec/sandbox'
import type { Stores } from '#lib/spec/store'
import { type Artifacts, createArtifacts } from './artifacts'
import { createThreadFiles, type Workspaces } from './thread-files'

let place: TemporaryStores
let stores: Stores
let artifacts: Artifacts
let files: Workspaces
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  stores.runs.insert(runRow(), queued(), threadRow())
  artifacts = createArtifacts({
    stores,
    folder: path.join(place.folder, 'artifacts'),
    clock: { now: () => 5_000 },
  })
  files = createThreadFiles({ stores, artifacts, folder: path.join(place.folder, 'workspaces') })
})
afterEach(() => place.end())

const run = { id: 'run_1', threadId: 'thread_1' }
const owner = { threadId: 'thread_1', runId: 'run_1' }

async function kept(answer: Promise<FileAnswer<Artifact>>): Promise<Artifact> {
  const given = await answer
  if (!given.ok) throw new Error(given.message)
  return given.value
}
/** Content files by path, with their modes, without the files that record the holders of a content. */
function contents(): string[] {
  const folder = path.join(place.folder, 'artifacts')
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && !each.parentPath.endsWith('.held'))
    .map((each) => {
      const at = path.join(each.parentPath, each.name)
      return `${path.relative(folder, at)} ${(fs.statSync(at).mode & 0o777).toString(8)}`
    })
    .sort()
}
async function textOf(id: string): Promise<string> {
  let text = ''
  for await (const chunk of (await artifacts.open(id)).content) text += chunk
  return text
}

it('a file is kept as it is, once for each content, readable by this user alone', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'abc')
  const first = await kept(port.keep('a.txt'))
  await port.write('a.txt', 'changed')
  const second = await kept(port.keep('a.txt', { name: 'Report: final?.txt' }))
  await port.write('b.txt', 'abc')
  await kept(port.keep('b.txt'))
  expect(first.id).toMatch(/^artifact_[0-9a-f]{20}$/)
  expect([await textOf(first.id), await textOf(second.id)]).toEqual(['abc', 'changed'])
  expect(second.name).toBe('Report final.txt')
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(contents()).toContain(`ba/${hash} 600`)
  expect(contents()).toHaveLength(2)
  expect(artifacts.ofRun('run_1').map((each) => each.path)).toEqual(['a.txt', 'a.txt', 'b.txt'])
  expect(stores.artifacts.get(first.id)).toEqual({
    ...first,
    ...owner,
    sha256: hash,
    createdAt: 5_000,
  })
})

it('E-45 what stands in no workspace is kept as well, and is no file that the run made', async () => {
  const { artifacts: port } = files.ports(run)
  const whole = await port.keep({
    name: 'sql.execute.txt',
    mediaType: 'text/plain',
    content: 'x'.repeat(100_000),
  })
  expect(whole).toMatchObject({ path: null, name: 'sql.execute.txt', bytes: 100_000 })
  expect(await textOf(whole?.id ?? '')).toHaveLength(100_000)
  expect(artifacts.ofRun('run_1')).toEqual([])
  expect(() => artifacts.given([whole?.id ?? ''], 'thread_1')).toThrow('is not in a workspace')
})

it('a thread keeps 1 GiB at most, and a single file 64 MiB', async () => {
  const mebibyte = 1024 * 1024
  const port = files.ports(run).files
  const full = {
    id: 'artifact_full',
    name: 'x',
    path: 'x',
    mediaType: 'text/plain',
    sha256: 'f'.repeat(64),
    createdAt: 1,
  }
  stores.artifacts.insert({ ...full, ...owner, bytes: 1024 * mebibyte - 3 })
  await port.write('fits', 'abc')
  await port.write('more', 'abcd')
  fs.writeFileSync(path.join(place.folder, 'workspaces/thread_1/large'), '')
  fs.truncateSync(path.join(place.folder, 'workspaces/thread_1/large'), 64 * mebibyte + 1)
  expect(await port.keep('more')).toMatchObject({ ok: false, code: 'quota' })
  expect(await port.keep('fits')).toMatchObject({ ok: true })
  expect(contents()).toHaveLength(1)
  stores.runs.insert(
    runRow({ id: 'run_2', threadId: 'thread_2' }),
    queued('thread_2'),
    threadRow({ id: 'thread_2' }),
  )
  const other = files.ports({ id: 'run_2', threadId: 'thread_2' }).files
  fs.cpSync(path.join(place.folder, 'workspaces/thread_1'), path.join(place.folder, 'workspaces/thread_2'), {
    recursive: true,
  })
  expect(await other.keep('large')).toMatchObject({ ok: false, code: 'too_large' })
})

it('a disk that takes nothing is told, and nothing half is left', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'abc')
  fs.rmSync(path.join(place.folder, 'artifacts'), { recursive: true, force: true })
  fs.writeFileSync(path.join(place.folder, 'artifacts'), 'in the way')
  expect(await port.keep('a.txt')).toMatchObject({ ok: false, code: 'unavailable' })
  expect(artifacts.ofRun('run_1')).toEqual([])
})

it('contents go with the last thread that has them', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'both')
  await port.write('b.txt', 'one alone')
  await kept(port.keep('a.txt'))
  await kept(port.keep('b.txt'))
  stores.runs.insert(
    runRow({ id: 'run_2', threadId: 'thread_2' }),
    queued('thread_2'),
    threadRow({ id: 'thread_2' }),
  )
  const other = files.ports({ id: 'run_2', threadId: 'thread_2' }).files
  await other.write('c.txt', 'both')
  const theirs = await kept(other.keep('c.txt'))
  expect(artifacts.removeThread('thread_1')).toBe('busy')
  expect(contents()).toHaveLength(2)
  finish('run_1')
  expect(artifacts.removeThread('thread_1')).toBe('removed')
  expect(contents()).toHaveLength(1)
  expect(await textOf(theirs.id)).toBe('both')
  finish('run_2')
  artifacts.removeThread('thread_2')
  expect(contents()).toEqual([])
})

function finish(runId: string): void {
  const event = {
    type: 'run.finished',
    seq: 2,
    at: 1,
    step: 0,
    status: 'cancelled',
    answer: null,
    usage: { input: 0, output: 0 },
    costUsd: null,
    steps: 0,
    toolCalls: [],
    startedAt: 1,
    finishedAt: 1,
    error: null,
  } as const
  stores.runs.append([{ runId, event: { ...event, toolCalls: [] }, json: JSON.stringify(event) }])
}

it('contents that this database does not know are left: another one may need them', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'kept')
  const { id } = await kept(port.keep('a.txt'))
  const foreign = path.join(place.folder, 'artifacts', 'ee', 'e'.repeat(64))
  fs.mkdirSync(path.dirname(foreign), { recursive: true })
  fs.writeFileSync(foreign, 'of another database')
  await artifacts.sweep()
  expect(contents()).toHaveLength(2)
  expect(await textOf(id)).toBe('kept')
  fs.rmSync(path.join(place.folder, 'artifacts'), { recursive: true, force: true })
  await artifacts.sweep()
})

it('a content that another database or a later state of this one holds outlives the removal of a thread here', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'the same')
  await kept(port.keep('a.txt'))
  const [shown = ''] = contents()
  const place64 = path.join(place.folder, 'artifacts', shown.split(' ')[0] ?? '')
  fs.writeFileSync(path.join(`${place64}.held`, 'artifact_of_another'), '')
  finish('run_1')
  expect(artifacts.removeThread('thread_1')).toBe('removed')
  expect(fs.readFileSync(place64, 'utf8')).toBe('the same')
})

it('a content that stood here before this database kept the same is never deleted', async () => {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  const foreign = path.join(place.folder, 'artifacts/ba', hash)
  fs.mkdirSync(path.dirname(foreign), { recursive: true })
  fs.writeFileSync(foreign, 'abc')
  const port = files.ports(run).files
  await port.write('a.txt', 'abc')
  await kept(port.keep('a.txt'))
  finish('run_1')
  artifacts.removeThread('thread_1')
  await artifacts.sweep()
  expect(fs.readFileSync(foreign, 'utf8')).toBe('abc')
})

it('contents kept by an earlier version are deleted with the last thread that has them, too', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'old')
  await kept(port.keep('a.txt'))
  for (const each of fs.readdirSync(path.join(place.folder, 'artifacts'), { recursive: true }))
    if (String(each).endsWith('.held'))
      fs.rmSync(path.join(place.folder, 'artifacts', String(each)), { recursive: true })
  const next = createArtifacts({
    stores,
    folder: path.join(place.folder, 'artifacts'),
    clock: { now: () => 1 },
  })
  finish('run_1')
  expect(next.removeThread('thread_1')).toBe('removed')
  expect(contents()).toHaveLength(1)
  await next.sweep()
  expect(contents()).toEqual([])
  expect(stores.discards.contents()).toEqual([])
})

it('a server that died between the removal of a thread and of its files deletes them at its next start', async () => {
  const port = files.ports(run).files
  await port.write('a.txt', 'abc')
  await kept(port.keep('a.txt'))
  finish('run_1')
  // The state after a server was killed here: the rows are gone, and the disk is unchanged.
  expect(stores.threads.remove('thread_1')).toBe('removed')
  expect([fs.existsSync(workspace('thread_1')), contents().length]).toEqual([true, 1])
  await files.sweep()
  await artifacts.sweep()
  expect([fs.existsSync(workspace('thread_1')), contents()]).toEqual([false, []])
  expect([stores.discards.workspaces(), stores.discards.contents()]).toEqual([[], []])
})

it('a workspace of a thread that this database does not know is left, and told in one sentence', async () => {
  const said: string[] = []
  const folder = path.join(place.folder, 'workspaces')
  fs.mkdirSync(workspace('thread_of_another'), { recursive: true })
  fs.writeFileSync(path.join(workspace('thread_of_another'), 'mine.txt'), 'mine')
  fs.mkdirSync(path.join(folder, 'incoming/thread_half'), { recursive: true })
  const next = createThreadFiles({ stores, artifacts, folder, report: (sentence) => said.push(sentence) })
  await next.sweep()
  expect(fs.readFileSync(path.join(workspace('thread_of_another'), 'mine.txt'), 'utf8')).toBe('mine')
  expect(fs.existsSync(path.join(folder, 'incoming'))).toBe(false)
  expect(said).toEqual([expect.stringContaining('one workspace belongs to no thread of this database')])
})

const workspace = (threadId: string) => path.join(place.folder, 'workspaces', threadId)

it('what an earlier server left half is thrown away', () => {
  const incoming = path.join(place.folder, 'artifacts/incoming')
  fs.mkdirSync(incoming, { recursive: true })
  fs.writeFileSync(path.join(incoming, 'half'), 'half')
  createArtifacts({ stores, folder: path.join(place.folder, 'artifacts'), clock: { now: () => 1 } })
  expect(fs.existsSync(incoming)).toBe(false)
})
