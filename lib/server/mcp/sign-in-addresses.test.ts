import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { openSignInServers, type SignInFaults, type SignInServers } from '#e2e/authorization-server'
import type { Stores } from '#lib/spec/store'
import { createSignInKeep } from './sign-in-keep'
import { createSignIns, type McpSignIns } from './sign-ins'
import { allowAt, cookieOf, failure, origin } from './sign-ins.fixture'

let folder: string
let stores: Stores
let servers: SignInServers
let signIns: McpSignIns

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-sign-in-'))
  stores = openStores(path.join(folder, 'loopwright.db'))
})
afterEach(async () => {
  stores.close()
  await servers.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** The servers with these faults; the authorization server is allowed, unless other hosts are given. */
async function open(faults: SignInFaults, { allowHosts }: { allowHosts?: readonly string[] } = {}) {
  servers = await openSignInServers(faults)
  const clock = { now: () => 1_800_000_000_000 }
  signIns = createSignIns({
    keep: createSignInKeep({ store: stores.mcpSignIns, folder, clock }),
    clock,
    allowHosts: allowHosts ?? [servers.host],
    urlOf: () => servers.url,
    onChange: () => undefined,
  })
}

async function signIn() {
  const begun = await signIns.begin('calendar', {}, origin)
  const callback = await allowAt(begun.value.address)
  return signIns.finish({ state: '', ...callback }, cookieOf(begun.cookie))
}

describe('T28 addresses that servers name', () => {
  let canary: http.Server
  let hits: number
  let target: string
  beforeEach(async () => {
    hits = 0
    canary = http.createServer((_, response) => {
      hits += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
    const { port } = canary.address() as AddressInfo // cast: a server on a TCP port has such an address
    target = `http://127.0.0.1:${port}/x`
  })
  afterEach(() => {
    canary.close()
  })

  const places: [string, (address: string) => SignInFaults][] = [
    ['the resource metadata', (address) => ({ challenge: `Bearer resource_metadata="${address}"` })],
    ['the authorization server', (address) => ({ resource: { authorization_servers: [address] } })],
    ['a redirect of the metadata', (address) => ({ metadataRedirect: address })],
    ['the authorization address', (address) => ({ metadata: { authorization_endpoint: address } })],
    ['the token address', (address) => ({ metadata: { token_endpoint: address } })],
    ['the registration address', (address) => ({ metadata: { registration_endpoint: address } })],
    ['the revocation address', (address) => ({ metadata: { revocation_endpoint: address } })],
  ]
  test.each(places)('are refused when they are private: %s', async (_, faultsAt) => {
    await open(faultsAt(target))
    expect(await failure(signIns.begin('calendar', {}, origin))).toMatch(/private or local address/)
    expect(hits).toBe(0)
  })

  test.each(
    places.flatMap(([name, at]) =>
      [
        'javascript:alert(1)',
        'file:///etc/passwd',
        'http://example.invalid/x',
        'https://a:b@example.invalid/',
      ].map((address) => [name, address, at] as const),
    ),
  )('are refused when they are not plain https: %s %s', async (name, address, faultsAt) => {
    await open(faultsAt(address))
    const message = await failure(signIns.begin('calendar', {}, origin))
    if (name === 'a redirect of the metadata') expect(message).toMatch(/failed:|redirects to another origin/)
    else expect(message).toMatch(/is not used: (Only http|It is not an https|A URL must not)/)
  })

  test('a redirect of the token address is not followed, so the code stays here', async () => {
    await open({ tokenRedirect: target })
    expect(await failure(signIn())).toMatch(/The token address .* failed/)
    expect(hits).toBe(0)
  })

  test('a private authorization server must be allowed by the operator', async () => {
    await open({}, { allowHosts: [] })
    expect(await failure(signIns.begin('calendar', {}, origin))).toContain('LOOPWRIGHT_ALLOW_HOSTS')
  })
})
