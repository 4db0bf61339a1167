/** Requests to the token and revocation addresses of an authorization server. */
import { z } from 'zod'
import type { SignInClient } from './sign-in-client'
import type { SignInAuthority } from './sign-in-discovery'
import { askSignIn, readAnswer, type SignInWeb, showUntrusted } from './sign-in-web'

export const signInTokens = z.object({
  access: z.string().min(1),
  refresh: z.string().min(1).optional(),
  /** Milliseconds since 1970; absent when the authorization server does not say. */
  expiresAt: z.number().optional(),
  scope: z.string().optional(),
})
export type SignInTokens = z.output<typeof signInTokens>

/** `isFinal`: the grant itself was refused, so asking again cannot help. */
export type TokenAnswer =
  | { readonly ok: true; readonly tokens: SignInTokens }
  | { readonly ok: false; readonly isFinal: boolean; readonly message: string }

export interface TokenRequest {
  readonly authority: SignInAuthority
  readonly client: SignInClient
  readonly resource: string
  readonly now: number
}

export function exchangeCode(
  web: SignInWeb,
  request: TokenRequest,
  given: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
): Promise<TokenAnswer> {
  return askTokens(web, request, {
    grant_type: 'authorization_code',
    code: given.code,
    code_verifier: given.verifier,
    redirect_uri: given.redirectUri,
  })
}

/** The refresh token stays the same when the answer has no other. */
export async function refreshTokens(
  web: SignInWeb,
  request: TokenRequest,
  { refresh, scope }: { readonly refresh: string; readonly scope?: string | undefined },
): Promise<TokenAnswer> {
  const answer = await askTokens(web, request, { grant_type: 'refresh_token', refresh_token: refresh })
  if (!answer.ok) return answer
  return { ok: true, tokens: { refresh, ...(scope !== undefined && { scope }), ...answer.tokens } }
}

const granted = z.object({
  access_token: z
    .string()
    .min(1)
    .max(100_000)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.coerce.number().nonnegative().optional(),
  refresh_token: z.string().min(1).max(100_000).optional(),
  scope: z.string().max(10_000).optional(),
})
const refused = z.object({ error: z.string().max(200), error_description: z.string().optional() })

/** Refusals that a new request with the same grant or client would get again. */
const finalErrors = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'invalid_target'])

async function askTokens(
  web: SignInWeb,
  { authority, client, resource, now }: TokenRequest,
  grant: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const url = authority.tokenEndpoint
  const answer = await askSignIn(web, 'the token address', {
    url,
    method: 'POST',
    ...proof(client, { ...grant, resource }),
  })
  const given = answer.status < 300 ? readAnswer(answer.text, granted) : undefined
  if (given !== undefined) return { ok: true, tokens: tokensOf(given, now) }
  const said = readAnswer(answer.text, refused)
  if (said === undefined)
    return {
      ok: false,
      isFinal: false,
      message: `The token address ${showUntrusted(url)} gave no bearer token (status ${answer.status}).`,
    }
  const why = said.error_description ?? said.error
  return {
    ok: false,
    isFinal: finalErrors.has(said.error),
    message: `The authorization server refused: ${showUntrusted(why)} (${showUntrusted(said.error)}).`,
  }
}

function tokensOf(given: z.output<typeof granted>, now: number): SignInTokens {
  return {
    access: given.access_token,
    ...(given.refresh_token !== undefined && { refresh: given.refresh_token }),
    ...(given.expires_in !== undefined && { expiresAt: now + given.expires_in * 1_000 }),
    ...(given.scope !== undefined && { scope: given.scope }),
  }
}

/** A form with the client's proof, in the header or in the body. */
function proof({ id, secret, method }: SignInClient, form: Readonly<Record<string, string>>) {
  const body = new URLSearchParams(form)
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  if (method === 'client_secret_basic' && secret !== undefined) {
    const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`
  } else {
    body.set('client_id', id)
    if (secret !== undefined) body.set('client_secret', secret)
  }
  return { headers, body: body.toString() }
}

/** Ends both tokens at the authorization server. Returns in one sentence why it did not work. */
export async function revokeTokens(
  web: SignInWeb,
  { authority, client }: Pick<TokenRequest, 'authority' | 'client'>,
  { access, refresh }: SignInTokens,
): Promise<string | undefined> {
  const url = authority.revocationEndpoint
  if (url === undefined)
    return `The authorization server ${showUntrusted(authority.issuer)} has no address for ending tokens, so they stay valid there until they expire.`
  const tokens: [string, string][] = [['access_token', access]]
  if (refresh !== undefined) tokens.unshift(['refresh_token', refresh])
  for (const [hint, token] of tokens) {
    const answer = await askSignIn(web, 'the revocation address', {
      url,
      method: 'POST',
      ...proof(client, { token, token_type_hint: hint }),
    })
    if (answer.status >= 300)
      return `The authorization server did not end the tokens (status ${answer.status}), so they stay valid there until they expire.`
  }
  return undefined
}
