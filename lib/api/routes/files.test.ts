import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { type Ask, ask, callApi, type House, openHouse } from '#lib/server/house.fixture'
import type { Artifact } from '#lib/spec/artifact'
import type { JsonObject } from '#lib/spec/json'
import { fileList, maxUploadBytes, uploaded } from '#lib/wire/artifacts'
import { createdRun, eventList, runView, stepRequest } from '#lib/wire/runs'

const begin = '/api/agents/{id}/runs'
const artifacts = '/api/artifacts/{id}'
const events = '/api/runs/{id}/events'
const requests = '/api/runs/{id}/requests/{step}'
const run = '/api/runs/{id}'
const file = '/api/threads/{id}/files/{...path}'
const files = '/api/threads/{id}/files'
const thread = '/api/threads/{id}'
const tryRoute = '/api/tools/{name}/try'

let house: House
let agentId = ''
let threadId = ''

const calls: JsonObject[] = [
  { name: 'files.get', args: { path: 'uploads/sales.csv' } },
  { name: 'files.create', args: { path: 'report.md', content: '# Für Ada\n' } },
]
const model: JsonObject = {
  provider: 'scripted',
  name: 'script',
  turns: [{ text: 'Let me see.', calls }, { text: 'Done.' }],
  paceMs: 0,
}

beforeEach(() => {
  house = openHouse()
  agentId = agentWith('writer')
  threadId = house.app.threads.create({ agentId }).id
})
afterEach(() => house.end())

function agentWith(name: string): string {
  const tools = [{ use: 'builtin', tools: ['files.*'] }]
  return house.app.agents.create({ config: { name, model, tools } }).id
}

const plain = { 'content-type': 'application/octet-stream' }
const upload = (name: string, body: string | Uint8Array, more: Ask = {}) =>
  ask(files, {
    method: 'POST',
    params: { id: threadId },
    query: `?name=${encodeURIComponent(name)}`,
    body,
    headers: plain,
    ...more,
  })
async function uploadedAs(name: string, body: string | Uint8Array = 'x'): Promise<Artifact> {
  const response = await upload(name, body)
  expect(response.status).toBe(201)
  return uploaded.parse(await response.json())
}
const paths = async () =>
  fileList.parse(await (await ask(files, { params: { id: threadId } })).json()).items.map((each) => each.path)
const get = (id: string) => ask(artifacts, { params: { id } })
const fetchFile = (at: string) => ask(file, { params: { id: threadId, path: at } })
const start = (body: unknown, of = agentId) => ask(begin, { method: 'POST', params: { id: of }, body })

async function codeOf(response: Response | Promise<Response>) {
  const answer = await response
  return [answer.status, (await answer.json()).error?.code]
}

/** A run that is over. */
async function finished(body: JsonObject, of = agentId) {
  const { id } = createdRun.parse(await (await start(body, of)).json())
  for await (const _ of house.app.runs.watch(id, 0, new AbortController().signal));
  return runView.parse(await (await ask(run, { params: { id } })).json())
}

describe('a file given to a thread', () => {
  test('S0-20 S1-06 is named in the first request, read by a tool, and what the run makes of it can be fetched', async () => {
    const given = await uploadedAs('sales.csv', 'name,n\nAda,1\n')
    expect(given).toEqual({
      id: expect.stringMatching(/^artifact_[0-9a-f]{20}$/),
      name: 'sales.csv',
      path: 'uploads/sales.csv',
      mediaType: 'text/csv',
      bytes: 13,
    })
    const view = await finished({ input: 'Sum up.', threadId, files: [given.id] })
    expect(view.status).toBe('completed')
    const asked = await ask(requests, { params: { id: view.id, step: '1' } })
    const { request, exact } = stepRequest.parse(await asked.json())
    expect(exact).toBe(true)
    expect(JSON.stringify(request)).toContain('uploads/sales.csv (text/csv, 13 bytes)')
    const { items } = eventList.parse(
      await (await ask(events, { params: { id: view.id }, headers: { accept: 'application/json' } })).json(),
    )
    expect(items[0]).toMatchObject({ type: 'run.queued', files: [given] })
    const read = items.find((each) => each.type === 'call.finished')
    expect(read?.result.text).toContain('Ada,1')
    const made = items.find((each) => each.type === 'artifact.created')?.artifact
    expect(view.artifacts).toEqual([made])
    expect(made).toMatchObject({ name: 'report.md', path: 'report.md', mediaType: 'text/markdown' })
    const fetched = await get(made?.id ?? '')
    expect(await fetched.text()).toBe('# Für Ada\n')
    expect(await paths()).toEqual(['report.md', 'uploads/sales.csv'])
    expect(await (await fetchFile('uploads/sales.csv')).text()).toBe('name,n\nAda,1\n')
    const later = await finished({ input: 'Again.', threadId })
    const next = stepRequest.parse(
      await (await ask(requests, { params: { id: later.id, step: '1' } })).json(),
    )
    expect(next.exact).toBe(true)
    expect(JSON.stringify(next.request)).toContain('uploads/sales.csv (text/csv')
  })

  test('an artifact stays as it was when the file changes', async () => {
    const given = await uploadedAs('a.txt', 'first')
    fs.writeFileSync(path.join(house.folder, 'workspaces', threadId, 'uploads/a.txt'), 'second')
    expect(await (await get(given.id)).text()).toBe('first')
    expect(await (await fetchFile('uploads/a.txt')).text()).toBe('second')
  })

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\sales.csv', 'sales.csv'],
    ['a/b/<script>"\'*?|:.html', 'script.html'],
    ['..', 'file'],
    ['.npmrc', 'npmrc'],
    ['..%2f..%2fx', '2f..2fx'],
    ['\u202egnp.exe\0\n', 'gnp.exe'],
    ['Übersicht (final) 日本.md', 'Übersicht (final) 日本.md'],
    [`${'ä'.repeat(300)}.csv`, `${'ä'.repeat(88)}.csv`],
  ])('S1-06 T31 %j becomes %j', async (name, plainName) => {
    const given = await uploadedAs(name)
    expect([given.name, given.path]).toEqual([plainName, `uploads/${plainName}`])
  })

  test('a name that is taken gets a number', async () => {
    const all = await Promise.all(['one', 'two', 'three'].map((body) => uploadedAs('a.txt', body)))
    expect(all.map((each) => each.path).sort()).toEqual([
      'uploads/a (2).txt',
      'uploads/a (3).txt',
      'uploads/a.txt',
    ])
    const contents = await Promise.all(
      all.map(async (each) => (await fetchFile(encodeURI(each.path ?? ''))).text()),
    )
    expect(contents).toEqual(['one', 'two', 'three'])
  })

  test('may be empty, and may be as large as is allowed', async () => {
    expect((await uploadedAs('empty', '')).bytes).toBe(0)
    const large = await uploadedAs('large', new Uint8Array(maxUploadBytes))
    expect(large.bytes).toBe(maxUploadBytes)
    expect(await codeOf(upload('over', new Uint8Array(maxUploadBytes + 1)))).toEqual([413, 'too_large'])
    const said = { ...plain, 'content-length': String(maxUploadBytes + 1) }
    expect(await codeOf(upload('over', 'x', { headers: said }))).toEqual([413, 'too_large'])
    const lying = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
    })
    expect(await codeOf(post(lying))).toEqual([413, 'too_large'])
    expect(await paths()).toEqual(['uploads/empty', 'uploads/large'])
    expect(fs.readdirSync(path.join(house.folder, 'artifacts/incoming'))).toEqual([])
  })

  test('that breaks off leaves nothing behind', async () => {
    let sent = 0
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ > 2) controller.error(new Error('gone'))
        else controller.enqueue(new Uint8Array(10))
      },
    })
    expect(await codeOf(post(broken))).toEqual([400, 'bad_request'])
    expect(await paths()).toEqual([])
    expect(fs.readdirSync(path.join(house.folder, 'artifacts/incoming'))).toEqual([])
  })

  /** A body without a content length. */
  function post(body: ReadableStream<Uint8Array>): Promise<Response> {
    const init = { method: 'POST', body, duplex: 'half', headers: { host: '127.0.0.1:3000', ...plain } }
    const request = new Request(
      `http://127.0.0.1:3000/api/threads/${threadId}/files?name=x`,
      init as RequestInit,
    ) // cast: its type lacks duplex
    return callApi(request)
  }

  test('T31 a body that speaks of a file is that text and nothing else', async () => {
    const secret = path.join(house.folder, 'FILE')
    fs.writeFileSync(secret, 'SECRET')
    const said = JSON.stringify({ files: { f: { filepath: secret } }, path: secret })
    const given = await upload('x.json', said, { headers: { 'content-type': 'application/json' } })
    const { id } = uploaded.parse(await given.json())
    expect(await (await get(id)).text()).toBe(said)
  })

  test.each([
    [{ 'content-type': 'multipart/form-data; boundary=x' }, 415],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415],
    [{ 'content-type': 'text/plain' }, 415],
    [{ 'content-type': '' }, 415],
    [{ ...plain, origin: 'https://evil.test' }, 403],
    [{ ...plain, 'sec-fetch-site': 'cross-site' }, 403],
  ])('T15 T31 is not taken from %j', async (headers, status) => {
    expect((await upload('a', 'x', { headers })).status).toBe(status)
    expect(await paths()).toEqual([])
  })

  test('needs a name and a thread', async () => {
    expect(await codeOf(upload('', 'x'))).toEqual([400, 'bad_request'])
    expect(await codeOf(upload('a', 'x', { query: '' }))).toEqual([400, 'bad_request'])
    expect(await codeOf(upload('a', 'x', { query: '?name=a&path=/etc/x' }))).toEqual([400, 'bad_request'])
    expect(await codeOf(upload('a', 'x', { params: { id: 'thread_0' } }))).toEqual([404, 'not_found'])
    // No request has ".." in its path, since every URL parser removes it.
    const upward = house.app.files.upload('..', { name: 'a', content: Readable.from([Buffer.from('x')]) })
    await expect(upward).rejects.toMatchObject({ code: 'not_found' })
    expect(await codeOf(ask(files, { params: { id: 'thread_0' } }))).toEqual([404, 'not_found'])
  })

  test('is given along with questions of its own thread alone', async () => {
    const { id } = await uploadedAs('a.txt')
    const other = house.app.threads.create({ agentId }).id
    expect(await codeOf(start({ input: 'x', files: [id] }))).toEqual([400, 'bad_request'])
    expect(await codeOf(start({ input: 'x', threadId: other, files: [id] }))).toEqual([409, 'conflict'])
    expect(await codeOf(start({ input: 'x', threadId, files: ['artifact_0'] }))).toEqual([404, 'not_found'])
    expect(house.app.runs.list({}).items).toEqual([])
  })

  test('goes with its thread, but not what another thread has too', async () => {
    const mine = await uploadedAs('a.txt', 'same')
    const own = await uploadedAs('b.txt', 'mine alone')
    const first = threadId
    threadId = house.app.threads.create({ agentId }).id
    const others = await uploadedAs('a.txt', 'same')
    const contents = () =>
      fs
        .readdirSync(path.join(house.folder, 'artifacts'), { recursive: true })
        .filter((each) => /^[0-9a-f]{2}.[0-9a-f]{64}$/.test(String(each)))
    expect(contents()).toHaveLength(2)
    expect((await ask(thread, { method: 'DELETE', params: { id: first } })).status).toBe(204)
    expect(contents()).toHaveLength(1)
    for (const { id } of [mine, own]) expect(await codeOf(get(id))).toEqual([404, 'not_found'])
    expect(await (await get(others.id)).text()).toBe('same')
    expect(fs.readdirSync(path.join(house.folder, 'workspaces'))).toEqual([threadId])
  })
})

describe('T32 a file that is fetched', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  test.each([
    ['x.html', '<script>alert(1)</script>', 'application/octet-stream'],
    ['x.svg', svg, 'application/octet-stream'],
    ['x.xml', '<a/>', 'application/octet-stream'],
    ['x.js', 'alert(1)', 'application/octet-stream'],
    ['x.png', svg, 'application/octet-stream'],
    ['x.pdf', '<html>', 'application/octet-stream'],
    ['x.csv', 'a,b', 'text/csv; charset=utf-8'],
    ['x.txt', svg, 'text/plain; charset=utf-8'],
    ['x', 'plain', 'text/plain; charset=utf-8'],
    ['x.bin', '\0', 'application/octet-stream'],
  ])('%s is one to save, of a type that does nothing', async (name, body, type) => {
    const given = await uploadedAs(name, body)
    for (const response of [await get(given.id), await fetchFile(given.path ?? '')]) {
      const { headers } = response
      expect(headers.get('content-disposition')).toBe(
        `attachment; filename="${name}"; filename*=UTF-8''${name}`,
      )
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect([type, 'application/octet-stream']).toContain(headers.get('content-type'))
      expect(await response.text()).toBe(body)
    }
    expect((await get(given.id)).headers.get('content-type')).toBe(type)
  })

  test('keeps its name in every script', async () => {
    const given = await uploadedAs('Größe (1) 日本.csv')
    expect((await get(given.id)).headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e (1) __.csv"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%281%29%20%E6%97%A5%E6%9C%AC.csv`,
    )
  })

  test('T29 comes from the workspace alone', async () => {
    await uploadedAs('a.txt')
    fs.writeFileSync(path.join(house.folder, 'workspaces/secret.txt'), 'SECRET')
    fs.symlinkSync(
      path.join(house.folder, 'workspaces/secret.txt'),
      path.join(house.folder, 'workspaces', threadId, 'link'),
    )
    for (const at of [
      '..%2e/secret.txt',
      '%2e%2e%2fsecret.txt',
      '..%5csecret.txt',
      '%00',
      'link',
      '%E2%80%A5/secret.txt',
      '%',
      '/etc/passwd',
    ]) {
      const answer = await fetchFile(at)
      expect([at, answer.status]).toEqual([
        at,
        expect.toSatisfy((status) => status === 400 || status === 404),
      ])
      expect(await answer.text()).not.toContain('SECRET')
    }
    expect(await codeOf(fetchFile('none.txt'))).toEqual([404, 'not_found'])
    expect(await codeOf(fetchFile('uploads'))).toEqual([400, 'bad_request'])
    for (const id of ['artifact_0', 'x'.repeat(300)])
      expect(await codeOf(get(id))).toEqual([404, 'not_found'])
    await expect(house.app.artifacts.open('..')).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('S1-06 what a person says of a file', () => {
  const describeAs = (at: string, description: unknown) =>
    ask('/api/threads/{id}/descriptions/{...path}', {
      method: 'PUT',
      params: { id: threadId, path: at },
      body: { description },
    })
  const listed = async () => (await house.app.files.list(threadId)).items

  test('is listed with it until it is taken back', async () => {
    await uploadedAs('a.txt')
    const [{ path: at } = { path: '' }] = await listed()
    expect((await describeAs(at, '  Sales of 2024. ')).status).toBe(204)
    expect(await listed()).toMatchObject([{ path: at, description: 'Sales of 2024.' }])
    expect((await describeAs(at, '')).status).toBe(204)
    expect((await listed())[0]).not.toHaveProperty('description')
  })

  test('is refused for what is no file, and when it is too long', async () => {
    await uploadedAs('a.txt')
    expect(await codeOf(describeAs('none.txt', 'x'))).toEqual([404, 'not_found'])
    expect(await codeOf(describeAs('uploads', 'x'))).toEqual([400, 'bad_request'])
    expect((await describeAs('../loopwright.db', 'x')).status).toBe(404)
    expect((await describeAs('uploads/a.txt', 'x'.repeat(1_001))).status).toBe(400)
    expect((await describeAs('uploads/a.txt', 5)).status).toBe(400)
  })
})

describe('S1-26 S3-15 two threads', () => {
  test('have a workspace each, and do not see each other’s files', async () => {
    const [one, two] = await Promise.all([finished({ input: 'Sum up.' }), finished({ input: 'Sum up.' })])
    for (const { threadId: id, artifacts: made } of [one, two]) {
      expect(made.map((each) => each.path)).toEqual(['report.md'])
      expect(fs.readdirSync(path.join(house.folder, 'workspaces', id))).toEqual(['report.md'])
    }
    expect(one.artifacts[0]?.id).not.toBe(two.artifacts[0]?.id)
  })

  test('a tool tried by hand writes to neither of them', async () => {
    const body = { args: { path: 'tried.txt', content: 'x' } }
    const tried = await ask(tryRoute, { method: 'POST', params: { name: 'files.create' }, body })
    expect(await tried.json()).toMatchObject({ status: 'ok' })
    expect(await paths()).toEqual([])
    expect(fs.readdirSync(path.join(house.folder, 'try'))).toEqual(['tried.txt'])
  })
})

test('what a removed thread leaves behind when the server is cut off goes at the next start, and nothing else', async () => {
  await uploadedAs('a.txt')
  const unknown = path.join(house.folder, 'workspaces/thread_of_another_database')
  fs.mkdirSync(unknown, { recursive: true })
  // The state in which the server was killed: the thread is gone from the database, its files are not.
  const stores = openStores(path.join(house.folder, 'loopwright.db'))
  expect(stores.threads.remove(threadId)).toBe('removed')
  stores.close()
  house.recover()
  await expect
    .poll(() => fs.readdirSync(path.join(house.folder, 'workspaces')))
    .toEqual([path.basename(unknown)])
})
