// biome-ignore-all lint/suspicious/noTemplateCurlyInString: settings name their secrets in this way
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ask, type House, openHouse } from '../house.fixture'
import { bodyOf, consent, listed, openAddress, routes, writeTools } from './servers-set-up.fixture'

vi.setConfig({ testTimeout: 30_000 })

let folder: string
let house: House
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-secrets-')))
  writeTools(folder, { look: 'looks', send: 'sends' })
  house = openHouse()
})
afterEach(async () => {
  await house.end()
  fs.rmSync(folder, { recursive: true, force: true })
})

const add = (name: string, reach: object, more: object = {}) =>
  bodyOf(routes.all, { body: { name, reach, ...more } })
const save = (name: string, reach: object, more: object = {}) =>
  bodyOf(routes.one, { method: 'PUT', params: { name }, body: { reach, ...more } })
const one = (name: string) => bodyOf(routes.one, { params: { name } })
const tryOut = (name: string) => bodyOf(routes.test, { method: 'POST', params: { name } })
const setSecret = (name: string, body: object) =>
  ask('/api/secrets/{name}', { method: 'PUT', params: { name }, body })

describe('S4-36 secrets reach no server that they were not declared for', () => {
  const planted = ['SEC-one-a1b2c3d4e5', 'SEC-two-f6a7b8c9d0', 'SEC-else-1a2b3c4d5e'] as const

  test('environment and arguments: two programs get their own secrets, and nothing else', async () => {
    await setSecret('ELSEWHERE', { value: planted[2], origins: ['https://api.example.com'] })
    vi.stubEnv('PLANTED', planted[2])
    await add('one', listed(folder, [`--token=${planted[0]}`], { ONE_KEY: planted[0] }))
    await add('two', listed(folder, [], { KEY: `Bearer ${planted[1]}` }))
    const seen: Record<string, string> = {}
    for (const name of ['one', 'two']) {
      await consent(name)
      expect(await tryOut(name)).toMatchObject({ ok: true })
      seen[name] = await callIn(name)
    }
    vi.unstubAllEnvs()
    expect(seen.one).toContain(`--token=${planted[0]}`)
    expect(seen.one).toContain('ONE_KEY')
    expect(seen.two).toContain(`Bearer ${planted[1]}`)
    for (const each of [planted[1], planted[2]]) expect(seen.one).not.toContain(each)
    for (const each of [planted[0], planted[2]]) expect(seen.two).not.toContain(each)
  })

  test('headers and addresses: two servers get their own secrets, and nothing else', async () => {
    const [first, second] = [await openAddress(), await openAddress()]
    await add('one', {
      transport: 'http',
      url: first.url,
      headers: { Authorization: `Bearer ${planted[0]}` },
    })
    await add('two', { transport: 'http', url: second.url, headers: { 'X-Api-Key': planted[1] } })
    for (const name of ['one', 'two'])
      expect(await tryOut(name)).toMatchObject({ ok: true, server: { info: { name: 'address' } } })
    expect(first.headers[0]?.authorization).toBe(`Bearer ${planted[0]}`)
    expect(JSON.stringify(first.headers)).not.toContain(planted[1])
    expect(JSON.stringify(second.headers)).toContain(planted[1])
    expect(JSON.stringify(second.headers)).not.toContain(planted[0])
    for (const each of [first, second]) each.close()
  })

  test('a secret of another origin is not sent, and a person can declare it', async () => {
    await setSecret('ELSEWHERE', { value: planted[2], origins: ['https://api.example.com'] })
    const reach = listed(folder, [], { TOKEN: '${ELSEWHERE}' })
    const { server } = await add('it', reach)
    expect(server.secrets).toMatchObject([
      { name: 'ELSEWHERE', undeclared: true, problem: expect.stringContaining('mcp:it') },
    ])
    await consent('it')
    expect(await tryOut('it')).toMatchObject({ ok: false, message: expect.stringContaining('ELSEWHERE') })
    await save('it', reach, { declare: ['ELSEWHERE'] })
    expect(await tryOut('it')).toMatchObject({ ok: true })
    await ask(routes.one, { method: 'DELETE', params: { name: 'it' } })
    expect(await bodyOf('/api/secrets')).toMatchObject({ items: [{ origins: ['https://api.example.com'] }] })
  })

  test('a secret names the servers whose settings use it', async () => {
    const usersOf = async (name: string) => {
      const { items } = await bodyOf('/api/secrets')
      return items.find((each: { name: string }) => each.name === name)?.usedBy
    }
    await setSecret('SHARED', { value: planted[0], origins: [] })
    expect(await usersOf('SHARED')).toEqual([])
    await add('one', listed(folder, [], { TOKEN: '${SHARED}' }))
    await add('two', { transport: 'http', url: 'https://mcp.example.com/${SHARED}' })
    expect(await usersOf('SHARED')).toEqual(['mcp:one', 'mcp:two'])
    await ask(routes.one, { method: 'DELETE', params: { name: 'one' } })
    expect(await usersOf('SHARED')).toEqual(['mcp:two'])
  })

  test('`${NAME}` is never taken from the variables of this server', async () => {
    vi.stubEnv('PLANTED_NAME', planted[2])
    await add('it', listed(folder, ['${PLANTED_NAME}']))
    await consent('it')
    expect(await tryOut('it')).toMatchObject({
      ok: false,
      message: expect.stringContaining('no secret PLANTED_NAME'),
    })
    vi.unstubAllEnvs()
  })

  test('T42 no pasted secret is stored or shown as it is', async () => {
    const text = JSON.stringify({
      mcpServers: {
        program: { command: 'npx', args: ['--api-key', planted[0]], env: { GITHUB_TOKEN: planted[1] } },
        address: { url: `https://mcp.example.com/mcp?apiKey=${planted[2]}` },
      },
    })
    const preview = await bodyOf(routes.import, { body: { text, preview: true } })
    expect(preview).toMatchObject({
      items: [
        { taken: [{ name: 'PROGRAM_API_KEY', at: 'args/1' }, { name: 'PROGRAM_GITHUB_TOKEN' }] },
        { taken: [{ at: 'url' }] },
      ],
    })
    expect(await bodyOf('/api/secrets')).toEqual({ items: [] })
    const answers = [
      preview,
      await bodyOf(routes.import, { body: { text } }),
      await bodyOf(routes.all),
      await one('program'),
    ]
    expect((await bodyOf('/api/secrets')).items).toHaveLength(3)
    const files = fs.readdirSync(house.folder).filter((name) => name.startsWith('loopwright.db'))
    const stored = files.map((name) => fs.readFileSync(path.join(house.folder, name), 'latin1'))
    for (const each of planted) {
      expect(JSON.stringify(answers)).not.toContain(each)
      expect(stored.join('')).not.toContain(each)
    }
  })

  test('a server that repeats its secret in a text is shown without it', async () => {
    writeTools(folder, { look: `Your token is ${planted[0]}.` })
    await add('it', listed(folder, [], { TOKEN: planted[0] }))
    await consent('it')
    await tryOut('it')
    expect((await one('it')).list[0]).toMatchObject({ description: 'Your token is [secret].' })
  })

  test('a new value for the same place replaces the secret of this server alone', async () => {
    await setSecret('IT_TOKEN', { value: 'SEC-of-a-person-99', origins: ['https://api.example.com'] })
    expect(await add('it', listed(folder, [], { TOKEN: planted[0] }))).toMatchObject({
      taken: [{ name: 'IT_TOKEN_2' }],
    })
    expect(await save('it', listed(folder, [], { TOKEN: planted[1] }))).toMatchObject({
      taken: [{ name: 'IT_TOKEN_2' }],
    })
  })
})

/** Calls a tool of the server and returns what it says of its surroundings. */
async function callIn(server: string): Promise<string> {
  const call = { server, tool: 'look', args: {}, onProgress: () => undefined, keep: async () => undefined }
  const output = await house.mcp.call(call, new AbortController().signal)
  return output.ok ? JSON.stringify(output) : output.message
}
