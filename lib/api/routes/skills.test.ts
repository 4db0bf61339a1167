/** Skills over the API: imported, looked at, replaced, exported and removed, and what an agent reads of them. */
import { unzipSync } from 'fflate'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type GivenEntry, zipOf } from '#lib/sandbox/zip.fixture'
import { ask, eventsIn, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { errorBody } from '#lib/wire/errors'
import {
  importedSkill,
  skillChanges,
  skillDetail,
  skillList,
  skillPreview,
  skillText,
} from '#lib/wire/skills'

let house: House
beforeAll(() => {
  house = openHouse()
})
afterAll(() => house.end())
afterEach(() => {
  for (const { name } of house.app.skills.list().items) house.app.skills.remove(name)
})

const head =
  '---\nname: notes\ndescription: Writes notes.\nallowed-tools: shell.run\n---\n\nWrite them well.\n'
const script = 'print("hello")\n'
const notes = (more: readonly GivenEntry[] = [], text = head) =>
  zipOf([
    { name: 'notes/SKILL.md', content: text },
    { name: 'notes/scripts/go.py', content: script },
    { name: 'notes/logo.bin', content: new Uint8Array([0, 1, 2, 255]) },
    ...more,
  ])

const send = (path: string, body: Uint8Array, query = '') =>
  ask(path, { method: 'POST', body, query, headers: { 'content-type': 'application/octet-stream' } })
const get = (path: string, query = '') => ask(path, { params: { name: 'notes' }, query })

async function imported(archive = notes(), query = '') {
  const response = await send('/api/skills', archive, query)
  expect(response.status).toBe(200)
  return importedSkill.parse(await response.json())
}

async function errorOf(response: Response) {
  return { status: response.status, ...errorBody.parse(await response.json()).error }
}

describe('the routes of skills', () => {
  test('S4-42 a skill is imported, listed and read file by file', async () => {
    const { skill, was } = await imported()
    expect(was).toBeNull()
    expect(skill).toMatchObject({
      name: 'notes',
      files: 3,
      scripts: 1,
      allowedTools: ['shell.run'],
      usedBy: [],
    })
    expect(skillList.parse(await (await get('/api/skills')).json()).items).toEqual([skill])
    const { list } = skillDetail.parse(await (await get('/api/skills/{name}')).json())
    expect(list.map(({ path, isText }) => [path, isText])).toEqual([
      ['SKILL.md', true],
      ['logo.bin', false],
      ['scripts/go.py', true],
    ])
    const file = async (path: string) => get('/api/skills/{name}/file', `?path=${encodeURIComponent(path)}`)
    expect(skillText.parse(await (await file('scripts/go.py')).json())).toMatchObject({ text: script })
    expect(skillText.parse(await (await file('logo.bin')).json())).toMatchObject({ text: null, bytes: 4 })
    expect((await file('../secret.key')).status).toBe(404)
  })

  test('S4-42 a file that is asked for by its version stays what it was when the skill changes', async () => {
    const { skill } = await imported()
    const changed = notes([], head.replace('well', 'shortly'))
    await imported(changed, `?replaces=${skill.hash}`)
    const text = async (query: string) => {
      const response = await get('/api/skills/{name}/file', `?path=SKILL.md${query}`)
      return response.status === 200 ? skillText.parse(await response.json()).text : response.status
    }
    expect(await text('')).toContain('Write them shortly.')
    expect(await text(`&hash=${skill.hash}`)).toContain('Write them well.')
    expect(await text(`&hash=sha256:${'0'.repeat(64)}`)).toBe(404)
  })

  test('S4-42 the archive that is downloaded has every file byte for byte, and imports as the same version', async () => {
    const { skill } = await imported()
    const response = await get('/api/skills/{name}/archive')
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toContain('notes.zip')
    const archive = new Uint8Array(await response.arrayBuffer())
    const files = unzipSync(archive)
    expect(Object.keys(files).sort()).toEqual(['notes/SKILL.md', 'notes/logo.bin', 'notes/scripts/go.py'])
    expect(Buffer.from(files['notes/SKILL.md'] ?? []).toString('utf8')).toBe(head)
    expect(await imported(archive)).toMatchObject({ was: skill.hash, skill: { hash: skill.hash } })
  })

  test('S4-42 an archive that climbs out gets one sentence, and nothing that is there is lost', async () => {
    const { skill } = await imported()
    const response = await send('/api/skills', notes([{ name: 'notes/../../../etc/cron.d/x' }]))
    expect(await errorOf(response)).toMatchObject({
      status: 422,
      message: '“notes/../../../etc/cron.d/x” leads out of the skill’s folder. Nothing was imported.',
    })
    expect(house.app.skills.list().items.map(({ hash }) => hash)).toEqual([skill.hash])
    expect((await send('/api/skills', new Uint8Array(100))).status).toBe(422)
    expect((await send('/api/skills', new Uint8Array())).status).toBe(400)
  })

  test('S4-42 a skill is replaced only by somebody who has seen what changes', async () => {
    const { skill } = await imported()
    const next = notes([{ name: 'notes/new.md', content: 'new\n' }], head.replace('well', 'badly'))
    const refused = await send('/api/skills', next)
    expect(await errorOf(refused)).toMatchObject({ status: 409, path: 'replaces' })
    const seen = skillPreview.parse(await (await send('/api/skills/preview', next)).json())
    expect(seen.now).toBe(skill.hash)
    expect(seen.changes).toEqual([
      { path: 'SKILL.md', change: 'changed', before: head, after: head.replace('well', 'badly') },
      { path: 'new.md', change: 'added', before: null, after: 'new\n' },
    ])
    expect(house.app.skills.find('notes')?.hash).toBe(skill.hash)
    const { skill: after, was } = await imported(next, `?replaces=${skill.hash}`)
    expect(was).toBe(skill.hash)
    const changes = skillChanges.parse(
      await (await get('/api/skills/{name}/changes', `?from=${skill.hash}`)).json(),
    )
    expect(changes).toEqual({ from: skill.hash, to: after.hash, items: seen.changes })
    const unknown = await get('/api/skills/{name}/changes', `?from=sha256:${'0'.repeat(64)}`)
    expect(skillChanges.parse(await unknown.json()).items).toBeNull()
  })

  test('S4-42 what is kept outlives a restart, and a removed skill is gone with its versions', async () => {
    const { skill } = await imported()
    const { folder } = house
    await house.leave()
    house = openHouse({ folder })
    expect(house.app.skills.find('notes')?.hash).toBe(skill.hash)
    expect((await ask('/api/skills/{name}', { method: 'DELETE', params: { name: 'notes' } })).status).toBe(
      204,
    )
    expect(house.app.skills.find('notes')).toBeUndefined()
    expect(house.app.skills.read(skill.hash, 'SKILL.md')).toBeUndefined()
    expect((await ask('/api/skills/{name}', { method: 'DELETE', params: { name: 'notes' } })).status).toBe(
      404,
    )
  })
})

describe('an agent with a skill', () => {
  const turns: JsonObject[] = [
    { calls: [{ name: 'skill.load', args: { skill: 'notes' } }] },
    { text: 'Done.' },
  ]

  function agentWith(hash: string, more: JsonObject = {}) {
    const model = { provider: 'scripted', name: 'script', turns, paceMs: 0 }
    return house.app.agents.create({
      config: { name: 'writer', model, skills: [{ name: 'notes', hash }], ...more },
    })
  }

  async function runOf(agentId: string) {
    const { id } = house.app.runs.create({ agentId, input: 'Write.' })
    for await (const frame of house.app.runs.watch(id, 0, new AbortController().signal)) void frame
    return { id, events: eventsIn(house.app.runs, id) }
  }

  test('S4-42 the model is told of the skill in a line, and reads it; the context names its share', async () => {
    const { skill } = await imported()
    const { id } = agentWith(skill.hash)
    expect(skillList.parse(await (await get('/api/skills')).json()).items[0]?.usedBy).toMatchObject([
      { name: 'writer', isCurrent: true },
    ])
    const { id: runId, events } = await runOf(id)
    const started = events.find((each) => each.type === 'run.started')
    expect(started).toMatchObject({
      skills: [{ node: 'skills/0', name: 'notes', description: 'Writes notes.' }],
    })
    expect(events.find((each) => each.type === 'call.finished')).toMatchObject({
      status: 'ok',
      result: { text: expect.stringContaining('Write them well.') },
    })
    const { request, exact, context } = await house.app.runs.request(runId, 1)
    expect(exact).toBe(true)
    expect(JSON.stringify(request)).toContain('- notes: Writes notes.')
    expect(context.skills).toBeGreaterThan(0)
  })

  test('S4-42 a changed skill is a finding, and off: neither told of nor read', async () => {
    const { skill } = await imported()
    const { id } = agentWith(skill.hash, { name: 'changed' })
    await imported(notes([{ name: 'notes/new.md' }]), `?replaces=${skill.hash}`)
    expect(house.app.agents.get(id).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'skill_changed', path: 'skills/0/hash', severity: 'warning' }),
    )
    const { events } = await runOf(id)
    const started = events.find((each) => each.type === 'run.started')
    expect(started).not.toHaveProperty('skills')
    expect(events.find((each) => each.type === 'call.finished')).toMatchObject({
      status: 'error',
      code: 'unknown_tool',
    })
    house.app.skills.remove('notes')
    expect(house.app.agents.get(id).diagnostics).toContainEqual(
      expect.objectContaining({ code: 'skill_missing', path: 'skills/0/name' }),
    )
  })

  test('S4-42 allowed-tools gives no tool, and policies rule on the tools of skills as on others', async () => {
    const { skill } = await imported()
    const plain = await runOf(agentWith(skill.hash, { name: 'plain' }).id)
    const offered = plain.events.flatMap((each) => (each.type === 'run.started' ? each.tools.offered : []))
    expect(offered.map(({ name }) => name)).not.toContain('shell.run')
    const denied = await runOf(
      agentWith(skill.hash, { name: 'denied', policies: [{ use: 'skills', deny: ['skill.*'] }] }).id,
    )
    expect(denied.events.find((each) => each.type === 'run.started')).not.toHaveProperty('skills')
    expect(denied.events.find((each) => each.type === 'call.finished')).toMatchObject({ status: 'denied' })
  })

  test('the config that is exported names the skill and its hash', async () => {
    const { id } = agentWith(`sha256:${'a'.repeat(64)}`, { name: 'exported' })
    const text = await (await ask('/api/agents/{id}/export', { params: { id } })).text()
    expect(JSON.parse(text).skills).toEqual([{ name: 'notes', hash: `sha256:${'a'.repeat(64)}` }])
  })
})
