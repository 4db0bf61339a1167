/** Finds out how to sign in to an MCP server: what it protects, and which authorization server it trusts. */
import { z } from 'zod'
import {
  askSignIn,
  checkAddress,
  readAnswer,
  type SignInAnswer,
  type SignInWeb,
  showUntrusted,
  signInError,
} from './sign-in-web'

/** What a server said when it refused a request: the header `WWW-Authenticate`. */
export interface Challenge {
  readonly metadataUrl?: string
  readonly scope?: string
  readonly error?: string
}

const address = z.string().min(1).max(2_048)
const texts = z.array(z.string().max(500)).max(500)

/** What is kept of an authorization server. A sign-in uses these addresses until the person signs out. */
export const authority = z.object({
  issuer: address,
  authorizationEndpoint: address,
  tokenEndpoint: address,
  registrationEndpoint: address.optional(),
  revocationEndpoint: address.optional(),
  /** Whether it promises to name itself in each callback (RFC 9207). */
  namesItself: z.boolean(),
  /** Whether a client may be described by a document at a public address. */
  takesDocuments: z.boolean(),
  /** How a client may prove itself at the token address; empty when it does not say. */
  clientMethods: z.array(z.string()),
})
export type SignInAuthority = z.output<typeof authority>

export interface Discovery {
  /** The resource indicator (RFC 8707). */
  readonly resource: string
  readonly scope?: string
  readonly authority: SignInAuthority
}

/** Reads the header `WWW-Authenticate`; undefined when it asks for no bearer token. */
export function readChallenge(header: string | null | undefined): Challenge | undefined {
  if (header == null || !/(^|,)\s*bearer(\s|,|$)/i.test(header)) return undefined
  const metadataUrl = parameterOf(header, 'resource_metadata')
  const scope = parameterOf(header, 'scope')
  const error = parameterOf(header, 'error')
  return {
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...(scope !== undefined && { scope }),
    ...(error !== undefined && { error }),
  }
}

const mostScopes = 50
/** What RFC 6749 allows as the name of a scope. */
const scopeName = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** The names in a list of scopes that a server has written, each once. */
export function readScopes(...lists: readonly (string | undefined)[]): string[] {
  const names = lists.flatMap((list) => list?.split(/\s+/) ?? []).filter((name) => scopeName.test(name))
  return [...new Set(names)].slice(0, mostScopes)
}

/**
 * The scopes that a request needs and its token lacks; empty when the server does not name them, undefined when it
 * refused the request for another reason, or did not refuse it.
 */
export function readMissingScopes(status: number, header: string | null): string[] | undefined {
  const challenge = status === 403 ? readChallenge(header) : undefined
  return challenge?.error === 'insufficient_scope' ? readScopes(challenge.scope) : undefined
}

function parameterOf(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header)
  return found?.[1] || found?.[2] || undefined
}

/**
 * What the server answers to somebody who is not signed in; undefined when it lets everybody in. A server of the
 * revision 2026-07-28 may know nothing of `initialize`, and answer it without looking at who asks.
 */
export async function probeServer(web: SignInWeb, serverUrl: string): Promise<Challenge | undefined> {
  for (const { headers, message } of [initialize, discoverServer]) {
    const answer = await askSignIn(web, 'the server', {
      url: serverUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
    if (answer.status === 401 || answer.status === 403)
      return readChallenge(answer.headers['www-authenticate']) ?? {}
  }
  return undefined
}

const clientInfo = { name: 'loopwright', version: '1.0.0' }

const initialize = {
  headers: {},
  message: {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  },
}

const discoverServer = {
  headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
  message: {
    method: 'server/discover',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
}

/**
 * Reads the metadata of the server and of its authorization server. Throws an AppError that names what is missing.
 * @param pinned the issuer that the person has agreed to, preferred when the server names several
 */
export async function discover(
  web: SignInWeb,
  serverUrl: string,
  { challenge = {}, pinned }: { readonly challenge?: Challenge; readonly pinned?: string } = {},
): Promise<Discovery> {
  const found = await readResource(web, serverUrl, challenge)
  const names = found?.authorization_servers ?? []
  // Servers of 2025-03-26 publish no such metadata: they are their own authorization server.
  const named = names.find((each) => pinned !== undefined && isSameIssuer(each, pinned)) ?? names[0]
  const scopes = challenge.scope ?? found?.scopes_supported?.join(' ')
  const read = await readAuthority(web, named ?? new URL(serverUrl).origin, found !== undefined)
  const scope = withOffline(scopes, read.scopes)
  return {
    resource: found?.resource ?? withoutHash(serverUrl),
    authority: read.authority,
    ...(scope !== undefined && { scope }),
  }
}

const resourceMetadata = z.object({
  resource: address,
  authorization_servers: z.array(address).max(50).optional(),
  scopes_supported: texts.optional(),
})

async function readResource(web: SignInWeb, serverUrl: string, { metadataUrl }: Challenge) {
  const { origin, pathname } = new URL(serverUrl)
  const root = `${origin}/.well-known/oauth-protected-resource`
  const places = metadataUrl !== undefined ? [metadataUrl] : [`${root}${withoutSlash(pathname)}`, root]
  const what = 'the resource metadata at'
  const found = await firstDocument(web, what, [...new Set(places)], resourceMetadata)
  if (found === undefined) {
    if (metadataUrl === undefined) return undefined
    throw signInError(
      `The server names resource metadata at ${showUntrusted(metadataUrl)}, but there is none of the expected form.`,
    )
  }
  if (!isWithin(serverUrl, found.value.resource))
    throw signInError(
      `The resource metadata at ${showUntrusted(found.place)} is for ${showUntrusted(found.value.resource)}, not for ${serverUrl}. Tokens for another resource are not asked for.`,
    )
  return found.value
}

const authorityMetadata = z.object({
  issuer: address,
  authorization_endpoint: address.optional(),
  token_endpoint: address.optional(),
  registration_endpoint: address.optional(),
  revocation_endpoint: address.optional(),
  response_types_supported: texts.optional(),
  grant_types_supported: texts.optional(),
  code_challenge_methods_supported: texts.optional(),
  token_endpoint_auth_methods_supported: texts.optional(),
  scopes_supported: texts.optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  client_id_metadata_document_supported: z.boolean().optional(),
})

async function readAuthority(web: SignInWeb, issuer: string, isNamed: boolean) {
  checkAddress(web, 'the authorization server', issuer)
  const what = 'the metadata of the authorization server at'
  const found = await firstDocument(web, what, authorityPlaces(issuer), authorityMetadata)
  const shown = showUntrusted(issuer)
  if (found === undefined)
    throw signInError(
      isNamed
        ? `The authorization server ${shown} publishes no metadata (RFC 8414 or OpenID Connect), so nobody can sign in there.`
        : `The server does not say how to sign in: it publishes no protected resource metadata (RFC 9728), and there is no authorization server at ${shown}.`,
    )
  const { value } = found
  if (!isSameIssuer(value.issuer, issuer))
    throw signInError(
      `The metadata of ${shown} is that of another authorization server, ${showUntrusted(value.issuer)}.`,
    )
  const lack = lackOf(value)
  if (lack !== undefined) throw signInError(`The authorization server ${shown} ${lack}`)
  const kept = keptOf(value)
  for (const [what, each] of addressesOf(kept)) checkAddress(web, what, each)
  return { authority: kept, scopes: value.scopes_supported }
}

/** What the authorization server lacks, as the rest of a sentence. */
function lackOf(value: z.output<typeof authorityMetadata>): string | undefined {
  if (value.authorization_endpoint === undefined) return 'names no authorization address.'
  if (value.token_endpoint === undefined) return 'names no token address.'
  if (value.response_types_supported?.includes('code') === false)
    return 'does not support the response type "code".'
  if (value.grant_types_supported?.includes('authorization_code') === false)
    return 'does not support the grant "authorization_code".'
  if (value.code_challenge_methods_supported?.includes('S256') !== true)
    return 'does not declare PKCE with S256, which protects the sign-in. Without it, nobody is signed in.'
  return undefined
}

function keptOf(value: z.output<typeof authorityMetadata>): SignInAuthority {
  return {
    issuer: value.issuer,
    authorizationEndpoint: value.authorization_endpoint ?? '',
    tokenEndpoint: value.token_endpoint ?? '',
    ...(value.registration_endpoint !== undefined && { registrationEndpoint: value.registration_endpoint }),
    ...(value.revocation_endpoint !== undefined && { revocationEndpoint: value.revocation_endpoint }),
    namesItself: value.authorization_response_iss_parameter_supported === true,
    takesDocuments: value.client_id_metadata_document_supported === true,
    clientMethods: value.token_endpoint_auth_methods_supported ?? [],
  }
}

function addressesOf(kept: SignInAuthority): [string, string][] {
  const all: [string, string | undefined][] = [
    ['the authorization address', kept.authorizationEndpoint],
    ['the token address', kept.tokenEndpoint],
    ['the registration address', kept.registrationEndpoint],
    ['the revocation address', kept.revocationEndpoint],
  ]
  return all.flatMap(([what, each]) => (each === undefined ? [] : [[what, each]]))
}

/** Where RFC 8414 and OpenID Connect put the metadata of an issuer. */
function authorityPlaces(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer)
  const path = withoutSlash(pathname)
  const places = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
  return [...new Set(places)]
}

/** The first place with a document of this form. Throws when a place cannot be reached, or fails. */
async function firstDocument<S extends z.ZodType>(
  web: SignInWeb,
  what: string,
  places: readonly string[],
  schema: S,
): Promise<{ place: string; value: z.output<S> } | undefined> {
  for (const place of places) {
    const answer = await askSignIn(web, what, { url: place, headers: { accept: 'application/json' } })
    const value = isFine(answer) ? readAnswer(answer.text, schema) : undefined
    if (value !== undefined) return { place, value }
    if (answer.status >= 500 && answer.status !== 502)
      throw signInError(`There was an error ${answer.status} when reading ${what} ${showUntrusted(place)}.`)
  }
  return undefined
}

function isFine({ status }: SignInAnswer): boolean {
  return status >= 200 && status < 300
}

/** Whether a resource covers the server's address: the same origin, and its path or one above it. */
function isWithin(serverUrl: string, resource: string): boolean {
  if (!URL.canParse(resource)) return false
  const [server, covered] = [new URL(serverUrl), new URL(resource)]
  const path = withoutSlash(covered.pathname)
  return (
    server.origin === covered.origin &&
    (server.pathname === path || server.pathname === `${path}/` || server.pathname.startsWith(`${path}/`))
  )
}

export function isSameIssuer(a: string, b: string): boolean {
  return withoutSlash(a) === withoutSlash(b)
}

/** Asks for refresh tokens where the authorization server has a scope for them. */
function withOffline(scope: string | undefined, supported: readonly string[] = []): string | undefined {
  if (scope === undefined || !supported.includes('offline_access')) return scope
  return scope.split(' ').includes('offline_access') ? scope : `${scope} offline_access`
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '')
}

function withoutHash(text: string): string {
  return text.split('#', 1)[0] ?? text
}
