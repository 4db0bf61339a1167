import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { openSignInServers, type SignInFaults, type SignInServers } from '#e2e/authorization-server'
import type { Stores } from '#lib/spec/store'
import { createSignInKeep, type SignInKeep } from './sign-in-keep'
import { createSignIns, type McpSignIns } from './sign-ins'
import { allowAt, cookieOf, failure, origin } from './sign-ins.fixture'

let folder: string
let stores: Stores
let servers: SignInServers
let signIns: McpSignIns
let keep: SignInKeep
let now = 1_800_000_000_000
let url: string
let changed: string[]

interface Setting {
  readonly publicOrigin?: string
  /** Default: the authorization server is allowed. */
  readonly allowHosts?: readonly string[]
}

function compose({ publicOrigin, allowHosts }: Setting = {}): McpSignIns {
  const clock = { now: () => now }
  keep = createSignInKeep({ store: stores.mcpSignIns, folder, clock })
  return createSignIns({
    keep,
    clock,
    allowHosts: allowHosts ?? [servers.host],
    publicOrigin,
    urlOf: () => url,
    onChange: (server) => changed.push(server),
  })
}

async function open(faults: SignInFaults = {}, setting: Setting = {}) {
  servers = await openSignInServers(faults)
  url = servers.url
  signIns = compose(setting)
}

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-sign-in-'))
  stores = openStores(path.join(folder, 'loopwright.db'))
  changed = []
})
afterEach(async () => {
  stores.close()
  await servers.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

async function signIn(body = {}, from = origin) {
  const begun = await signIns.begin('calendar', body, from)
  const callback = await allowAt(begun.value.address)
  return signIns.finish({ state: '', ...callback }, cookieOf(begun.cookie))
}

const tokenRequests = () => servers.requests.filter((each) => each.path === '/token')

describe('a sign-in', () => {
  test('registers a client, proves itself with S256 and the resource, and the token opens the server', async () => {
    await open()
    const begun = await signIns.begin('calendar', {}, origin)
    const asked = new URL(begun.value.address).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      redirect_uri: `${origin}/settings/mcp/callback`,
      code_challenge_method: 'S256',
      resource: servers.url,
      scope: 'tools',
    })
    expect(begun.value.issuer).toBe(servers.issuer)
    expect(begun.cookie).toMatch(/HttpOnly; SameSite=Lax$/)
    const done = await signIns.finish(
      { state: '', ...(await allowAt(begun.value.address)) },
      cookieOf(begun.cookie),
    )
    expect(done.server).toBe('calendar')
    expect(done.cookie).toContain('Max-Age=0')
    const token = await signIns.tokens('calendar', url).token()
    expect(servers.valid.has(token ?? '')).toBe(true)
    expect(signIns.view('calendar', url)).toMatchObject({
      state: 'signed_in',
      issuer: servers.issuer,
      client: 'registration',
      renews: true,
      scope: 'tools',
    })
    expect(changed).toEqual(['calendar'])
  })

  test('survives a restart, and its tokens are not readable in the database file', async () => {
    await open()
    await signIn()
    const token = await signIns.tokens('calendar', url).token()
    signIns = compose()
    expect(await signIns.tokens('calendar', url).token()).toBe(token)
    const bytes = fs.readdirSync(folder).map((each) => fs.readFileSync(path.join(folder, each), 'latin1'))
    expect(bytes.filter((each) => each.includes(token ?? 'access-'))).toEqual([])
    expect(keep.secrets()).toContain(token)
  })

  test('T25 its tokens go to the address they were given for, and are void at another', async () => {
    await open()
    await signIn()
    for (const other of [`${url}/other`, 'https://elsewhere.example/mcp', url.replace('http:', 'https:')])
      expect(await signIns.tokens('calendar', other).token()).toBeUndefined()
    expect(await signIns.tokens('other', url).token()).toBeUndefined()
  })

  test('uses the client that a person entered, with its secret in the header', async () => {
    await open({ metadata: { registration_endpoint: undefined } })
    const callback = `${origin}/settings/mcp/callback`
    expect(await failure(signIns.begin('calendar', {}, origin))).toContain(
      `Register Loopwright there with the redirect address ${callback}`,
    )
    await signIn({ clientId: 'entered-client', clientSecret: 'entered-secret' })
    expect(tokenRequests()[0]?.headers.authorization).toMatch(/^Basic /)
    expect(signIns.view('calendar', url)).toMatchObject({ state: 'signed_in', client: 'entered' })
  })

  test('a public address describes this server as a client, where the authorization server takes documents', async () => {
    const publicOrigin = 'https://agents.example.com'
    await open(
      { metadata: { client_id_metadata_document_supported: true, registration_endpoint: undefined } },
      { publicOrigin },
    )
    const document = signIns.document()
    expect(document).toMatchObject({
      client_id: `${publicOrigin}/api/mcp-sign-in/client`,
      redirect_uris: [`${publicOrigin}/settings/mcp/callback`],
    })
    expect(await failure(signIns.begin('calendar', {}, origin))).toContain('LOOPWRIGHT_PUBLIC_URL')
    await signIn({}, publicOrigin)
    const [sent] = tokenRequests()
    expect(new URLSearchParams(sent?.body).get('client_id')).toBe(document?.client_id)
    expect(signIns.view('calendar', url).client).toBe('document')
  })

  test('its cookie is sent over https only, where the server is public', async () => {
    await open({}, { publicOrigin: 'https://agents.example.com' })
    const { cookie } = await signIns.begin('calendar', {}, 'https://agents.example.com')
    expect(cookie).toMatch(/; Secure$/)
  })

  test('works with a server of the revision 2025-03-26, which is its own authorization server', async () => {
    await open({ own: 'authority' })
    await signIn()
    expect(signIns.view('calendar', url)).toMatchObject({
      state: 'signed_in',
      issuer: new URL(servers.url).origin,
    })
    expect(new URLSearchParams(tokenRequests()[0]?.body).get('resource')).toBe(servers.url)
  })
})

describe('what an authorization server lacks is named', () => {
  test.each<[string, SignInFaults, RegExp]>([
    [
      'no PKCE',
      { metadata: { code_challenge_methods_supported: undefined } },
      /does not declare PKCE with S256/,
    ],
    [
      'plain PKCE',
      { metadata: { code_challenge_methods_supported: ['plain'] } },
      /does not declare PKCE with S256/,
    ],
    ['no token address', { metadata: { token_endpoint: undefined } }, /names no token address/],
    [
      'no authorization address',
      { metadata: { authorization_endpoint: undefined } },
      /names no authorization address/,
    ],
    ['another response type', { metadata: { response_types_supported: ['token'] } }, /response type "code"/],
    [
      'another issuer',
      { metadata: { issuer: 'https://evil.example' } },
      /that of another authorization server, https:\/\/evil/,
    ],
    ['no metadata', { metadataRedirect: '/nowhere' }, /publishes no metadata/],
    ['no resource metadata', { own: 'nothing' }, /publishes no protected resource metadata \(RFC 9728\)/],
    [
      'another resource',
      { resource: { resource: 'https://evil.example/mcp' } },
      /Tokens for another resource/,
    ],
    ['a refused registration', { registration: 403 }, /did not register Loopwright \(status 403\)/],
  ])('%s', async (_, faults, sentence) => {
    await open(faults)
    expect(await failure(signIns.begin('calendar', {}, origin))).toMatch(sentence)
    expect(tokenRequests()).toEqual([])
  })

  test('a refusal of the person is passed on', async () => {
    await open({ isDenied: true })
    expect(await failure(signIn())).toMatch(/You pressed Deny\. \(access_denied\)/)
    expect(signIns.view('calendar', url)).toEqual({ state: 'none' })
  })
})

describe('the callback', () => {
  test('works once', async () => {
    await open()
    const begun = await signIns.begin('calendar', {}, origin)
    const callback = { state: '', ...(await allowAt(begun.value.address)) }
    await signIns.finish(callback, cookieOf(begun.cookie))
    expect(await failure(signIns.finish(callback, cookieOf(begun.cookie)))).toMatch(/it was used already/)
    expect(tokenRequests()).toHaveLength(1)
  })

  test('works only in the browser that began, and then for nobody', async () => {
    await open()
    const begun = await signIns.begin('calendar', {}, origin)
    const other = await signIns.begin('calendar', {}, origin)
    const callback = { state: '', ...(await allowAt(begun.value.address)) }
    expect(await failure(signIns.finish(callback, cookieOf(other.cookie)))).toMatch(/another browser/)
    expect(await failure(signIns.finish(callback, cookieOf(begun.cookie)))).toMatch(/used already/)
    expect(tokenRequests()).toEqual([])
  })

  test('works for ten minutes', async () => {
    await open()
    const begun = await signIns.begin('calendar', {}, origin)
    const callback = { state: '', ...(await allowAt(begun.value.address)) }
    expect(begun.value.expiresAt).toBe(now + 600_000)
    now += 600_000
    expect(await failure(signIns.finish(callback, cookieOf(begun.cookie)))).toMatch(/ten minutes are over/)
  })

  test('a state that was never given is refused', async () => {
    await open()
    expect(await failure(signIns.finish({ state: 'x', code: 'y' }, ''))).toMatch(/is not known/)
  })

  test.each([
    ['another authorization server', 'https://evil.example', /is from https:\/\/evil.example/],
    ['no authorization server, although it promises to name itself', null, /promises to/],
  ])('is refused when it comes from %s', async (_, iss, sentence) => {
    await open({ iss })
    expect(await failure(signIn())).toMatch(sentence)
    expect(tokenRequests()).toEqual([])
  })

  test('is refused when the address of the server has changed since', async () => {
    await open()
    const begun = await signIns.begin('calendar', {}, origin)
    const callback = { state: '', ...(await allowAt(begun.value.address)) }
    url = `${url}/moved`
    expect(await failure(signIns.finish(callback, cookieOf(begun.cookie)))).toMatch(/has changed since/)
  })
})

describe('the authorization server stays the one that the person agreed to', () => {
  test('until they sign out', async () => {
    const faults: { resource?: Record<string, unknown> } = {}
    await open(faults)
    await signIn()
    const second = await openSignInServers()
    faults.resource = { authorization_servers: [second.issuer] }
    signIns = compose({ allowHosts: [servers.host, second.host] })
    expect(await failure(signIns.begin('calendar', {}, origin))).toBe(
      `The server now names another authorization server: ${second.issuer}, and no longer ${servers.issuer}. If you trust it, sign out first, and then sign in again.`,
    )
    const tokens = signIns.tokens('calendar', url)
    await tokens.token()
    await tokens.onUnauthorized()
    expect(servers.refreshed()).toBe(1)
    await signIns.signOut('calendar')
    expect((await signIns.begin('calendar', {}, origin)).value.issuer).toBe(second.issuer)
    await second.close()
  })

  test('also where the server names several', async () => {
    const faults: { resource?: Record<string, unknown> } = {}
    await open(faults)
    await signIn()
    faults.resource = { authorization_servers: ['https://other.invalid', servers.issuer] }
    expect((await signIns.begin('calendar', {}, origin)).value.issuer).toBe(servers.issuer)
  })
})

describe('tokens', () => {
  test('are renewed once for twenty calls at the same time', async () => {
    await open({ expiresIn: 30 })
    await signIn()
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => signIns.tokens('calendar', url).token()),
    )
    expect(new Set(tokens).size).toBe(1)
    expect(servers.valid.has(tokens[0] ?? '')).toBe(true)
    expect(servers.refreshed()).toBe(1)
  })

  test('are renewed once when twenty connections get a 401', async () => {
    await open()
    await signIn()
    const all = Array.from({ length: 20 }, () => signIns.tokens('calendar', url))
    await Promise.all(all.map((each) => each.token()))
    servers.expire()
    await Promise.all(all.map((each) => each.onUnauthorized()))
    expect(servers.refreshed()).toBe(1)
    expect(servers.valid.has((await all[0]?.token()) ?? '')).toBe(true)
  })

  test('that cannot be renewed ask for a sign-in, and are forgotten', async () => {
    await open()
    await signIn()
    const tokens = signIns.tokens('calendar', url)
    await tokens.token()
    servers.expire()
    servers.endGrants()
    expect(await failure(tokens.onUnauthorized())).toMatch(/Sign in to calendar under Settings → MCP servers/)
    expect(signIns.view('calendar', url)).toMatchObject({ state: 'needed' })
    expect(await tokens.token()).toBeUndefined()
  })

  test('stay while the authorization server is away', async () => {
    await open()
    await signIn()
    const tokens = signIns.tokens('calendar', url)
    const token = await tokens.token()
    await servers.close()
    expect(await failure(tokens.onUnauthorized())).toMatch(/The token address .* failed/)
    expect(await tokens.token()).toBe(token)
    servers = await openSignInServers()
  })

  test('a server that asks for a sign-in nobody has done is named', async () => {
    await open()
    expect(await failure(signIns.tokens('calendar', url).onUnauthorized())).toMatch(/asks for a sign-in/)
    expect(signIns.view('calendar', url).state).toBe('needed')
    await signIn()
    expect(signIns.view('calendar', url).state).toBe('signed_in')
  })

  test('end at the authorization server when the person signs out', async () => {
    await open()
    await signIn()
    expect(servers.valid.size).toBe(1)
    expect(await signIns.signOut('calendar')).toBeUndefined()
    expect(servers.valid.size).toBe(0)
    const hints = servers.requests
      .filter((each) => each.path === '/revoke')
      .map((each) => new URLSearchParams(each.body).get('token_type_hint'))
    expect(hints).toEqual(['refresh_token', 'access_token'])
    expect(signIns.view('calendar', url)).toEqual({ state: 'none' })
  })

  test('are forgotten even when the authorization server cannot end them, and the person hears of it', async () => {
    await open({ metadata: { revocation_endpoint: undefined } })
    await signIn()
    expect(await signIns.signOut('calendar')).toMatch(/stay valid there until they expire/)
    expect(await signIns.tokens('calendar', url).token()).toBeUndefined()
  })

  test('a sign-out during a renewal wins', async () => {
    await open({ expiresIn: 30 })
    await signIn()
    const renewing = signIns.tokens('calendar', url).token()
    await signIns.signOut('calendar')
    expect(await renewing).toBeUndefined()
    expect(signIns.view('calendar', url)).toEqual({ state: 'none' })
  })
})
