/**
 * An OAuth authorization server and an MCP server that it protects, over real HTTP on loopback. Options make either
 * misbehave. Used by tests of the sign-in and by journeys.
 */
import { createHash, randomUUID } from 'node:crypto'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface SignInFaults {
  /** Replaces members of the authorization server's metadata; undefined removes one. */
  readonly metadata?: Readonly<Record<string, unknown>>
  /** Replaces members of the resource metadata. */
  readonly resource?: Readonly<Record<string, unknown>>
  /** The `iss` of each callback; null leaves it out. Default: the right one. */
  readonly iss?: string | null
  /** The header `WWW-Authenticate` of each 401. */
  readonly challenge?: string
  /** Where the metadata of the authorization server redirects to. */
  readonly metadataRedirect?: string
  readonly tokenRedirect?: string
  /** Seconds that a token lives. Default: 3600. */
  readonly expiresIn?: number
  /** Answers each registration with this status. */
  readonly registration?: number
  /** The MCP server publishes no resource metadata: it is its own authorization server, or says nothing. */
  readonly own?: 'authority' | 'nothing'
  /** The person refuses. */
  readonly isDenied?: boolean
  /** The scope without which the MCP server refuses calls of tools. */
  readonly callScope?: string
  /** The MCP server is of the revision 2026-07-28: it does not know `initialize`, and answers that to everybody. */
  readonly isModern?: boolean
}

export interface SignInRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface SignInServers {
  /** The address of the MCP server. */
  readonly url: string
  readonly issuer: string
  /** `host:port` of the authorization server. */
  readonly host: string
  /** All requests to both, in order. */
  readonly requests: SignInRequest[]
  /** How often a token was refreshed. */
  refreshed(): number
  /** The tokens that are valid now. */
  readonly valid: ReadonlySet<string>
  /** Ends every access token, as if it had expired. */
  expire(): void
  /** Ends every refresh token. */
  endGrants(): void
  close(): Promise<void>
}

interface Grant {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly resource: string
  readonly scope: string
}

export async function openSignInServers(faults: SignInFaults = {}): Promise<SignInServers> {
  const requests: SignInRequest[] = []
  const valid = new Set<string>()
  /** The scopes of each access token. */
  const scopes = new Map<string, string>()
  const grants = new Map<string, Grant>()
  const refreshes = new Map<string, Grant>()
  const clients = new Map<string, string>([['entered-client', 'entered-secret']])
  let refreshed = 0

  const authorization = await serve(requests, async (request, response) => {
    const { issuer } = names()
    const { path, query, body } = request
    if (path.startsWith('/.well-known/')) {
      if (faults.metadataRedirect !== undefined) return redirect(response, faults.metadataRedirect)
      if (path !== '/.well-known/oauth-authorization-server') return send(response, 404, {})
      return send(response, 200, { ...metadataOf(issuer), ...faults.metadata })
    }
    if (path === '/register') return register(response, body)
    if (path === '/authorize') return page(response, `/allow?${query}`, names().url)
    if (path === '/allow') return allow(response, query)
    if (path === '/token') {
      if (faults.tokenRedirect !== undefined) return redirect(response, faults.tokenRedirect, 307)
      return token(response, new URLSearchParams(body), request.headers.authorization)
    }
    if (path === '/revoke') {
      const given = new URLSearchParams(body).get('token') ?? ''
      valid.delete(given)
      refreshes.delete(given)
      return send(response, 200, {})
    }
    return send(response, 404, {})
  })

  const resource = await serve(requests, async ({ method, path, headers, body }, response) => {
    const { url, issuer } = names()
    if (path === '/.well-known/oauth-protected-resource/mcp' && faults.own === undefined) {
      const found = { resource: url, authorization_servers: [issuer], scopes_supported: ['tools'] }
      return send(response, 200, { ...found, ...faults.resource })
    }
    if (path === '/.well-known/oauth-authorization-server' && faults.own === 'authority')
      return send(response, 200, { ...metadataOf(authorization.origin), issuer })
    if (path !== '/mcp') return send(response, 404, {})
    // It opens no stream, and it has no sessions to end.
    if (method !== 'POST') return send(response, 405, {})
    const token = headers.authorization?.replace(/^Bearer /, '') ?? ''
    const { method: called } = JSON.parse(body)
    if (faults.isModern && called === 'initialize') return send(response, 400, { error: 'unknown method' })
    const { callScope } = faults
    if (valid.has(token)) {
      const lacks = callScope !== undefined && !scopes.get(token)?.split(' ').includes(callScope)
      if (called !== 'tools/call' || !lacks) return speak(response, body)
      const challenge = `Bearer error="insufficient_scope", scope="${callScope}"`
      response.setHeader('www-authenticate', challenge)
      return send(response, 403, { error: 'insufficient_scope' })
    }
    const known = `Bearer resource_metadata="${new URL(url).origin}/.well-known/oauth-protected-resource/mcp"`
    response.setHeader('www-authenticate', faults.challenge ?? (faults.own === undefined ? known : 'Bearer'))
    return send(response, 401, { error: 'invalid_token' })
  })

  const names = () => ({
    url: `${resource.origin}/mcp`,
    issuer: faults.own === 'authority' ? resource.origin : authorization.origin,
  })

  const register = (response: ServerResponse, body: string) => {
    if (faults.registration !== undefined)
      return send(response, faults.registration, { error: 'access_denied' })
    const id = `client-${randomUUID()}`
    clients.set(id, '')
    return send(response, 201, { ...JSON.parse(body), client_id: id })
  }

  const allow = (response: ServerResponse, query: URLSearchParams) => {
    const redirectUri = query.get('redirect_uri') ?? ''
    const back = new URL(redirectUri)
    back.searchParams.set('state', query.get('state') ?? '')
    const iss = faults.iss === undefined ? names().issuer : faults.iss
    if (iss !== null) back.searchParams.set('iss', iss)
    if (faults.isDenied) {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_description', 'You pressed Deny.')
      return redirect(response, back.href)
    }
    const code = randomUUID()
    grants.set(code, {
      clientId: query.get('client_id') ?? '',
      redirectUri,
      challenge: query.get('code_challenge') ?? '',
      resource: query.get('resource') ?? '',
      scope: query.get('scope') ?? '',
    })
    back.searchParams.set('code', code)
    return redirect(response, back.href)
  }

  const token = (response: ServerResponse, form: URLSearchParams, authorization: string | undefined) => {
    const refuse = (error: string, error_description: string) =>
      send(response, 400, { error, error_description })
    const clientId = clientOf(form, authorization, clients)
    if (clientId === undefined) return refuse('invalid_client', 'Unknown client.')
    if (form.get('resource') !== names().url) return refuse('invalid_target', 'Wrong resource.')
    if (form.get('grant_type') === 'refresh_token') {
      const refresh = form.get('refresh_token') ?? ''
      const grant = refreshes.get(refresh)
      // Each refresh token works once: a second use is what a thief would do.
      refreshes.delete(refresh)
      if (grant?.clientId !== clientId) return refuse('invalid_grant', 'The refresh token has ended.')
      refreshed += 1
      return give(response, grant)
    }
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    if (grant === undefined) return refuse('invalid_grant', 'Unknown code.')
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      proof === grant.challenge &&
      grant.clientId === clientId &&
      grant.redirectUri === form.get('redirect_uri') &&
      grant.resource === form.get('resource')
    return isRight ? give(response, grant) : refuse('invalid_grant', 'The proof is wrong.')
  }

  const give = (response: ServerResponse, grant: Grant) => {
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`]
    valid.add(access)
    scopes.set(access, grant.scope)
    refreshes.set(refresh, grant)
    const life = { expires_in: faults.expiresIn ?? 3_600 }
    const tokens = { access_token: access, refresh_token: refresh, token_type: 'Bearer', ...life }
    return send(response, 200, { ...tokens, scope: grant.scope })
  }

  return {
    ...names(),
    host: new URL(authorization.origin).host,
    requests,
    refreshed: () => refreshed,
    valid,
    expire: () => valid.clear(),
    endGrants: () => refreshes.clear(),
    close: async () => {
      await Promise.all([authorization.close(), resource.close()])
    },
  }
}

function metadataOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** The client that the request proves to be; undefined when it proves none. */
function clientOf(
  form: URLSearchParams,
  authorization: string | undefined,
  clients: ReadonlyMap<string, string>,
): string | undefined {
  const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1]
  const [id = '', secret = ''] =
    basic === undefined
      ? [form.get('client_id') ?? '', form.get('client_secret') ?? '']
      : Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
  if (/^https:/.test(id)) return id
  return clients.get(id) === secret ? id : undefined
}

/** What an MCP server of the revision 2025-06-18 answers; it has one tool. */
function speak(response: ServerResponse, body: string): void {
  const { id, method } = JSON.parse(body)
  if (id === undefined) {
    send(response, 202, undefined)
    return
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'protected', version: '1.0.0' },
    },
    ping: {},
    'tools/list': {
      tools: [{ name: 'whoami', description: 'Says who is signed in.', inputSchema: { type: 'object' } }],
    },
    'tools/call': { content: [{ type: 'text', text: 'You are signed in.' }] },
  }
  const result = results[method]
  const unknown = { error: { code: -32_601, message: `There is no method ${method}.` } }
  send(response, 200, { jsonrpc: '2.0', id, ...(result === undefined ? unknown : { result }) })
}

type Answer = (request: SignInRequest, response: ServerResponse) => void | Promise<void>

async function serve(requests: SignInRequest[], answer: Answer) {
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const seen = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await text(request),
    }
    requests.push(seen)
    await answer(seen, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: a server on a TCP port has such an address
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(value === undefined ? undefined : JSON.stringify(value))
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location })
  response.end()
}

function page(response: ServerResponse, href: string, url: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const link = href.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  response.end(
    `<!doctype html><title>Sign in</title><h1>Allow access to ${url}?</h1><a href="${link}">Allow</a>`,
  )
}
