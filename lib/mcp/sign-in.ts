/**
 * Signing in to an MCP server with OAuth 2.1: the address that a person opens, and the tokens for what they come
 * back with. What it keeps between the two belongs to the caller.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chooseClient, type SignInClient } from './sign-in-client'
import { discover, isSameIssuer, probeServer, readScopes, type SignInAuthority } from './sign-in-discovery'
import { exchangeCode, type SignInTokens } from './sign-in-tokens'
import { type SignInWeb, showUntrusted, signInError } from './sign-in-web'

export interface BeginSignIn {
  readonly serverUrl: string
  readonly redirectUri: string
  readonly documentUrl?: string | undefined
  readonly entered?: { readonly id: string; readonly secret?: string | undefined } | undefined
  /** The authorization server and the client of an earlier sign-in. */
  readonly before?: { readonly issuer: string; readonly client: SignInClient } | undefined
  /** Scopes that are asked for besides those that the server names. */
  readonly moreScopes?: readonly string[]
  readonly now: number
}

/** A sign-in that a person has begun. Holds secrets: it is not stored, and never leaves the server. */
export interface PendingSignIn {
  readonly state: string
  readonly verifier: string
  readonly redirectUri: string
  readonly resource: string
  readonly scope?: string
  readonly authority: SignInAuthority
  readonly client: SignInClient
}

/** Throws an AppError that names what is missing. */
export async function beginSignIn(
  web: SignInWeb,
  request: BeginSignIn,
): Promise<{ address: string; pending: PendingSignIn }> {
  const { serverUrl, redirectUri, before, now } = request
  const challenge = await probeServer(web, serverUrl)
  const {
    resource,
    scope: named,
    authority,
  } = await discover(web, serverUrl, {
    ...(challenge && { challenge }),
    ...(before && { pinned: before.issuer }),
  })
  if (before !== undefined && !isSameIssuer(before.issuer, authority.issuer))
    throw signInError(
      `The server now names another authorization server: ${showUntrusted(authority.issuer)}, and no longer ${before.issuer}. If you trust it, sign out first, and then sign in again.`,
    )
  const scope = withScopes(named, request.moreScopes)
  const client = await chooseClient(web, {
    authority,
    redirectUri,
    scope,
    entered: request.entered,
    stored: before?.client,
    documentUrl: request.documentUrl,
    now,
  })
  const [state, verifier] = [randomText(), randomText()]
  const pending: PendingSignIn = {
    ...{ state, verifier, redirectUri, resource, authority, client },
    ...(scope !== undefined && { scope }),
  }
  return { address: addressToOpen(pending), pending }
}

function withScopes(named: string | undefined, more: readonly string[] = []): string | undefined {
  return more.length === 0 ? named : readScopes(named, ...more).join(' ')
}

function addressToOpen({ state, verifier, redirectUri, resource, scope, authority, client }: PendingSignIn) {
  const url = new URL(authority.authorizationEndpoint)
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
    scope,
    // OpenID Connect gives refresh tokens only when the person is asked for consent.
    prompt: scope?.split(' ').includes('offline_access') ? 'consent' : undefined,
  }
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  url.hash = ''
  return url.href
}

/** What the authorization server sent back with the person's browser. Every text of it is untrusted. */
export interface SignInCallback {
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
  readonly error_description?: string | undefined
}

/** Throws an AppError that says why there are no tokens. */
export async function finishSignIn(
  web: SignInWeb,
  pending: PendingSignIn,
  { code, iss, error, error_description: why }: SignInCallback,
  now: number,
): Promise<SignInTokens> {
  const { authority, client, resource, redirectUri, verifier } = pending
  checkIssuer(authority, iss)
  if (error !== undefined)
    throw signInError(
      `The authorization server ${authority.issuer} did not sign you in: ${showUntrusted(why ?? error)} (${showUntrusted(error)}).`,
    )
  if (code === undefined) throw signInError('The authorization server sent neither a code nor an error.')
  const answer = await exchangeCode(
    web,
    { authority, client, resource, now },
    { code, verifier, redirectUri },
  )
  if (!answer.ok) throw signInError(answer.message)
  return answer.tokens
}

/** RFC 9207: the answer must come from the authorization server that was asked. */
function checkIssuer({ issuer, namesItself }: SignInAuthority, iss: string | undefined): void {
  if (iss === undefined) {
    if (!namesItself) return
    throw signInError(
      `The answer does not say which authorization server it is from, although ${issuer} promises to. Nothing was signed in.`,
    )
  }
  if (iss !== issuer)
    throw signInError(
      `The answer is from ${showUntrusted(iss)}, but the sign-in was begun at ${issuer}. Nothing was signed in.`,
    )
}

/** Text that nobody can guess: 43 characters. */
export function randomText(): string {
  return randomBytes(32).toString('base64url')
}
