/** As which client Loopwright signs in: one that a person entered, a published document, or one registered now. */
import { z } from 'zod'
import { isSameIssuer, type SignInAuthority } from './sign-in-discovery'
import { askSignIn, readAnswer, type SignInWeb, showUntrusted, signInError } from './sign-in-web'

const clientMethod = z.enum(['none', 'client_secret_basic', 'client_secret_post'])
type ClientMethod = z.output<typeof clientMethod>

export const signInClient = z.object({
  id: z.string().min(1).max(2_048),
  secret: z.string().min(1).max(4_096).optional(),
  method: clientMethod,
  from: z.enum(['entered', 'document', 'registration']),
  /** The callback that it was registered with; absent when a person entered it. */
  redirectUri: z.string().optional(),
  issuer: z.string(),
  /** Milliseconds since 1970, when its secret ends. */
  expiresAt: z.number().optional(),
})
export type SignInClient = z.output<typeof signInClient>

interface ClientRequest {
  readonly authority: SignInAuthority
  readonly redirectUri: string
  readonly scope?: string | undefined
  /** The id and secret that a person entered. */
  readonly entered?: { readonly id: string; readonly secret?: string | undefined } | undefined
  /** The client of an earlier sign-in. */
  readonly stored?: SignInClient | undefined
  /** The public https address of the document that describes this server as a client. */
  readonly documentUrl?: string | undefined
  readonly now: number
}

/** Throws an AppError that says what to do when there is no way to become a client. */
export async function chooseClient(web: SignInWeb, request: ClientRequest): Promise<SignInClient> {
  const { authority, entered, documentUrl, redirectUri } = request
  if (entered !== undefined) return enteredClient(entered, authority)
  const stored =
    request.stored !== undefined && isUsable(request.stored, request) ? request.stored : undefined
  if (stored !== undefined) return stored
  if (authority.takesDocuments && documentUrl !== undefined)
    return { id: documentUrl, method: 'none', from: 'document', redirectUri, issuer: authority.issuer }
  if (authority.registrationEndpoint === undefined) throw signInError(noClient(request), 'clientId')
  return await register(web, request, authority.registrationEndpoint)
}

function isUsable(client: SignInClient, { authority, redirectUri, now }: ClientRequest): boolean {
  if (!isSameIssuer(client.issuer, authority.issuer)) return false
  if (client.expiresAt !== undefined && client.expiresAt <= now) return false
  return client.from === 'entered' || client.redirectUri === redirectUri
}

function enteredClient(
  { id, secret }: { readonly id: string; readonly secret?: string | undefined },
  { clientMethods, issuer }: SignInAuthority,
): SignInClient {
  const common = { id, from: 'entered', issuer } as const
  if (secret === undefined) return { ...common, method: 'none' }
  const isPost =
    clientMethods.includes('client_secret_post') && !clientMethods.includes('client_secret_basic')
  return { ...common, secret, method: isPost ? 'client_secret_post' : 'client_secret_basic' }
}

function noClient({ authority, redirectUri, documentUrl }: ClientRequest): string {
  const document =
    authority.takesDocuments && documentUrl === undefined
      ? ' It accepts the address of a client document, but this server has no public https address: set LOOPWRIGHT_PUBLIC_URL, and open Settings there.'
      : ''
  return `The authorization server ${showUntrusted(authority.issuer)} does not register clients by itself.${document} Register Loopwright there with the redirect address ${redirectUri}, and enter the client id that you get.`
}

const registered = z.object({
  client_id: z.string().min(1).max(2_048),
  client_secret: z.string().min(1).max(4_096).optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().max(100).optional(),
})

async function register(web: SignInWeb, request: ClientRequest, url: string): Promise<SignInClient> {
  const { authority, redirectUri, scope } = request
  const wanted = wantedMethod(authority.clientMethods)
  const answer = await askSignIn(web, 'the registration address', {
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      ...clientDescription(redirectUri),
      token_endpoint_auth_method: wanted,
      ...(scope !== undefined && { scope }),
    }),
  })
  const issuer = showUntrusted(authority.issuer)
  if (answer.status < 200 || answer.status >= 300)
    throw signInError(
      `The authorization server ${issuer} did not register Loopwright (status ${answer.status}): ${showUntrusted(answer.text)} Register it by hand with the redirect address ${redirectUri}, and enter the client id.`,
      'clientId',
    )
  const given = readAnswer(answer.text, registered)
  if (given === undefined) throw signInError(`The registration at ${issuer} gave no client id.`, 'clientId')
  const { client_id: id, client_secret: secret, client_secret_expires_at: ends } = given
  return {
    id,
    ...(secret !== undefined && { secret }),
    method: methodOf(given.token_endpoint_auth_method, secret, wanted),
    from: 'registration',
    redirectUri,
    issuer: authority.issuer,
    ...(ends !== undefined && ends > 0 && { expiresAt: ends * 1_000 }),
  }
}

/** What Loopwright says of itself as a client. */
export function clientDescription(redirectUri: string) {
  const isLocal = /^http:/.test(redirectUri)
  return {
    client_name: 'Loopwright',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isLocal ? 'native' : 'web',
  }
}

/** Without a secret if that is allowed, since there is then nothing to lose. */
function wantedMethod(supported: readonly string[]): ClientMethod {
  if (supported.length === 0 || supported.includes('none')) return 'none'
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post'
}

function methodOf(said: string | undefined, secret: string | undefined, wanted: ClientMethod): ClientMethod {
  if (secret === undefined) return 'none'
  const read = clientMethod.safeParse(said)
  if (read.success) return read.data
  return wanted === 'none' ? 'client_secret_basic' : wanted
}
