/** A sign-in that lacks rights, through the API and with runs: the server says which, and only a person asks for them. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSignInServers, type SignInFaults, type SignInServers } from '#e2e/authorization-server'
import type { JsonObject } from '#lib/spec/json'
import type { McpServerDetail } from '#lib/wire/mcp-servers'
import { ask, type House, openHouse } from '../house.fixture'
import { bodyOf, routes } from './servers-set-up.fixture'
import { allowAt, cookieOf } from './sign-ins.fixture'

let house: House
let servers: SignInServers
const open = async (faults: SignInFaults) => {
  servers = await openSignInServers(faults)
  house = openHouse({ outbound: { providers: {}, allowHosts: [servers.host] } })
  await bodyOf(routes.all, { body: { name: 'calendar', reach: { transport: 'http', url: servers.url } } })
}
beforeEach(() => open({ callScope: 'calendar.write' }))
afterEach(async () => {
  await house.end()
  await servers.close()
})

const params = { name: 'calendar' }

/** Signs in as a person does; returns the scopes that were asked for. */
async function signIn(body: object = {}): Promise<string | null> {
  const begun = await ask('/api/mcp-servers/{name}/sign-in', { method: 'POST', params, body })
  const { address } = await begun.json()
  const callback = await allowAt(address)
  const headers = { cookie: cookieOf(begun.headers.get('set-cookie') ?? '') }
  expect((await ask('/api/mcp-sign-in', { method: 'POST', body: callback, headers })).status).toBe(200)
  return new URL(address).searchParams.get('scope')
}

const signInNow = async () => {
  const detail: McpServerDetail = await bodyOf(routes.one, { params })
  return detail.signIn
}

/** The result of a call of the server's tool by an agent. */
async function callOnce() {
  const turns: JsonObject[] = [{ calls: [{ name: 'calendar.whoami', args: {} }] }, { text: 'Done.' }]
  const config = {
    name: `caller-${Math.random().toString(36).slice(2, 8)}`,
    model: { provider: 'scripted', name: 'script', turns },
    tools: [{ use: 'mcp', server: 'calendar' }],
  }
  const { id: agentId } = house.app.agents.create({ config })
  const { id } = house.app.runs.create({ agentId, input: 'Who am I?' })
  for await (const stored of house.app.runs.watch(id, 0, AbortSignal.timeout(10_000))) {
    if (stored === 'beat') continue
    const event = JSON.parse(stored.json)
    if (event.type === 'call.finished') return event
  }
}

test('the missing scopes are shown, nothing is asked for by itself, and a wider sign-in asks for old and new ones', async () => {
  expect(await signIn()).toBe('tools')
  expect(await signInNow()).not.toHaveProperty('missingScopes')
  const refused = await callOnce()
  expect(refused).toMatchObject({
    status: 'error',
    result: { text: expect.stringContaining('calendar.write') },
  })
  expect(await signInNow()).toMatchObject({ state: 'signed_in', missingScopes: ['calendar.write'] })
  expect(servers.requests.filter(({ path }) => path === '/token')).toHaveLength(1)

  expect(await signIn({ widen: true })).toBe('tools calendar.write')
  expect(await signInNow()).toMatchObject({ state: 'signed_in', scope: 'tools calendar.write' })
  expect(await signInNow()).not.toHaveProperty('missingScopes')
  expect(await callOnce()).toMatchObject({ status: 'ok', result: { text: 'You are signed in.' } })
})

test('an ordinary sign-in does not ask for the missing scopes, and signing out forgets them', async () => {
  await signIn()
  await callOnce()
  const begun = await bodyOf('/api/mcp-servers/{name}/sign-in', { params, body: {} })
  expect(new URL(begun.address).searchParams.get('scope')).toBe('tools')
  await bodyOf('/api/mcp-servers/{name}/sign-out', { params, body: {} })
  expect(await signInNow()).toEqual({ state: 'none' })
})

test('a server of 2026-07-28 that does not know initialize is asked in its own words how to sign in', async () => {
  await house.end()
  await servers.close()
  await open({ isModern: true, challenge: 'Bearer scope="deep"' })
  const begun = await bodyOf('/api/mcp-servers/{name}/sign-in', { params, body: {} })
  expect(new URL(begun.address).searchParams.get('scope')).toBe('deep')
  expect(servers.requests.find(({ headers }) => headers['mcp-method'] === 'server/discover')).toBeDefined()
})
