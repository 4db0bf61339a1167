/** Signing in to MCP servers, and the tokens that their connections send. */
import { beginSignIn, finishSignIn } from '#lib/mcp/sign-in'
import { clientDescription } from '#lib/mcp/sign-in-client'
import { readScopes } from '#lib/mcp/sign-in-discovery'
import { refreshTokens, revokeTokens } from '#lib/mcp/sign-in-tokens'
import { AppError, isAppError } from '#lib/spec/errors'
import {
  type BeginMcpSignIn,
  type BegunMcpSignIn,
  type FinishMcpSignIn,
  type McpClientDocument,
  type McpSignInView,
  mcpCallbackPath,
} from '#lib/wire/mcp-sign-in'
import type { KeptSignIn, ReadSignIn, SignInKeep } from './sign-in-keep'
import { createPendingSignIns } from './sign-in-pending'
import { withSignInWeb } from './sign-in-web'

/** A token that ends within this time is renewed before it is sent, ms. */
const renewBeforeMs = 60_000

/** What a connection sends with its requests, and whom it asks after a 401. */
export interface McpTokens {
  token(): Promise<string | undefined>
  /** Renews the token. Throws an AppError when a person must sign in. */
  onUnauthorized(): Promise<void>
  /** Takes note of scopes without which the server has refused a request. Only a person asks for them. */
  onMissingScopes(scopes: readonly string[]): void
}

export interface McpSignIns {
  /**
   * @param origin where the person's browser reaches this server
   * Throws an AppError that names what is missing.
   */
  begin(
    server: string,
    body: BeginMcpSignIn,
    origin: string,
  ): Promise<{ value: BegunMcpSignIn; cookie: string }>
  /** @param cookies the header Cookie of the browser that came back */
  finish(body: FinishMcpSignIn, cookies: string): Promise<{ server: string; cookie: string }>
  /** Forgets the tokens, and ends them at the authorization server; returns what a person should know of that. */
  signOut(server: string): Promise<string | undefined>
  /** For a server that is removed: like signing out, without waiting for the authorization server. */
  forget(server: string): void
  view(server: string, url: string): McpSignInView
  tokens(server: string, url: string): McpTokens
  /** What this server says of itself as a client; undefined without a public https address. */
  document(): McpClientDocument | undefined
}

interface SignInsContext {
  readonly keep: SignInKeep
  readonly clock: { now(): number }
  readonly allowHosts: readonly string[]
  readonly publicOrigin?: string | undefined
  /** The address of a server. Throws an AppError when there is no such server, or when it has no address. */
  urlOf(server: string): string
  /** Called after somebody signed in or out. */
  onChange(server: string): void
}

export function createSignIns(context: SignInsContext): McpSignIns {
  const { keep, clock, publicOrigin, allowHosts, urlOf, onChange } = context
  const pendings = createPendingSignIns(context)
  /** Servers that asked for a sign-in, with the reason in one sentence. */
  const needed = new Map<string, { readonly url: string; readonly problem: string }>()
  /** Servers that refused a request of somebody who is signed in, with the scopes that they named. */
  const lacking = new Map<string, { readonly url: string; readonly scopes: readonly string[] }>()
  const renewals = new Map<string, Promise<void>>()
  const documentUrl = publicOrigin?.startsWith('https:')
    ? `${publicOrigin}/api/mcp-sign-in/client`
    : undefined

  const onWeb = <T>(serverUrl: string, use: Parameters<typeof withSignInWeb<T>>[1]) =>
    withSignInWeb({ serverUrl, allowHosts }, use)

  const need = (server: string, url: string, why: string) => {
    needed.set(server, { url, problem: why })
    return new AppError('conflict', `${why} Sign in to ${server} under Settings → MCP servers.`)
  }

  const renewNow = async (server: string, url: string, kept: KeptSignIn) => {
    const { authority, client, resource, tokens, scope } = kept
    const { refresh } = tokens
    if (refresh === undefined) throw need(server, url, 'The sign-in has ended, and it cannot be renewed.')
    const request = { authority, client, resource, now: clock.now() }
    const answer = await onWeb(url, (web) => refreshTokens(web, request, { refresh, scope }))
    const present = keep.get(server, url)
    // Somebody may have signed out, or in again, during the request.
    if (!present.ok || present.value.tokens.refresh !== refresh) return
    if (answer.ok) return keep.put(server, url, { ...kept, tokens: answer.tokens })
    if (!answer.isFinal) throw new AppError('unavailable', answer.message)
    keep.remove(server)
    throw need(server, url, `The sign-in has ended. ${answer.message}`)
  }

  const missingIn = (server: string, url: string): readonly string[] | undefined => {
    const known = lacking.get(server)
    return known?.url === url ? known.scopes : undefined
  }

  /** Renews once, however many calls ask for it at the same time. */
  const renew = (server: string, url: string, kept: KeptSignIn): Promise<void> => {
    const under = renewals.get(server)
    if (under !== undefined) return under
    const work = renewNow(server, url, kept).finally(() => renewals.delete(server))
    renewals.set(server, work)
    return work
  }

  /** Forgets at once; resolves with what a person should know of the tokens at the authorization server. */
  const leave = async (server: string, url: string): Promise<string | undefined> => {
    const kept = keep.get(server, url)
    keep.remove(server)
    needed.delete(server)
    lacking.delete(server)
    if (!kept.ok) return undefined
    try {
      return await onWeb(url, (web) => revokeTokens(web, kept.value, kept.value.tokens))
    } catch (error) {
      if (!isAppError(error)) throw error
      return `The tokens are forgotten here, but may stay valid at the authorization server until they expire. ${error.message}`
    }
  }

  return {
    begin: async (server, { clientId, clientSecret, widen }, origin) => {
      const url = urlOf(server)
      const before = keep.get(server, url)
      const isPublic = origin === publicOrigin
      const { address, pending } = await onWeb(url, (web) =>
        beginSignIn(web, {
          serverUrl: url,
          redirectUri: `${origin}${mcpCallbackPath}`,
          now: clock.now(),
          documentUrl: isPublic ? documentUrl : undefined,
          entered: clientId === undefined ? undefined : { id: clientId, secret: clientSecret },
          before: before.ok
            ? { issuer: before.value.authority.issuer, client: before.value.client }
            : undefined,
          ...(widen && { moreScopes: widerScopes(before, missingIn(server, url)) }),
        }),
      )
      const { cookie, expiresAt } = pendings.keep({ server, url, pending })
      return { value: { address, issuer: pending.authority.issuer, expiresAt }, cookie }
    },

    finish: async ({ state, ...callback }, cookies) => {
      const { server, url, pending, cookie } = pendings.take(state, cookies)
      if (urlOf(server) !== url)
        throw new AppError('conflict', `The address of ${server} has changed since. Start the sign-in again.`)
      const tokens = await onWeb(url, (web) => finishSignIn(web, pending, callback, clock.now()))
      const { authority, client, resource, scope } = pending
      const kept = { authority, client, resource, tokens, signedInAt: clock.now() }
      keep.put(server, url, { ...kept, ...(scope !== undefined && { scope }) })
      needed.delete(server)
      lacking.delete(server)
      onChange(server)
      return { server, cookie }
    },

    signOut: async (server) => {
      const end = leave(server, urlOf(server))
      onChange(server)
      return await end
    },
    forget: (server) => {
      const url = keep.addressOf(server)
      if (url !== undefined) void leave(server, url).catch(console.error)
    },

    view: (server, url) => {
      const kept = keep.get(server, url)
      const wanted = needed.get(server)
      const problem = wanted?.url === url ? wanted.problem : undefined
      if (kept.ok) {
        const missingScopes = missingIn(server, url)
        return {
          ...viewOf(kept.value),
          ...(missingScopes !== undefined && { missingScopes: [...missingScopes] }),
          ...(problem !== undefined && { state: 'needed', problem }),
        }
      }
      const why = problem ?? kept.unreadable
      return why === undefined ? { state: 'none' } : { state: 'needed', problem: why }
    },

    tokens: (server, url) => {
      let sent: string | undefined
      return {
        token: async () => {
          const kept = keep.get(server, url)
          if (!kept.ok) return undefined
          const { expiresAt, refresh } = kept.value.tokens
          const isEnding = expiresAt !== undefined && expiresAt - clock.now() < renewBeforeMs
          // A token that could not be renewed is sent all the same: the server says what it thinks of it.
          if (isEnding && refresh !== undefined)
            await renew(server, url, kept.value).catch((error: unknown) => {
              if (!isAppError(error)) throw error
            })
          const present = keep.get(server, url)
          sent = present.ok ? present.value.tokens.access : undefined
          return sent
        },
        onUnauthorized: async () => {
          const kept = keep.get(server, url)
          if (!kept.ok) throw need(server, url, kept.unreadable ?? `The server ${server} asks for a sign-in.`)
          // Another call has renewed the token since this one was sent.
          if (kept.value.tokens.access !== sent) return
          await renew(server, url, kept.value)
        },
        onMissingScopes: (scopes) => {
          if (keep.get(server, url).ok)
            lacking.set(server, { url, scopes: readScopes(...(missingIn(server, url) ?? []), ...scopes) })
        },
      }
    },

    document: () =>
      documentUrl === undefined || publicOrigin === undefined
        ? undefined
        : {
            client_id: documentUrl,
            client_uri: publicOrigin,
            ...clientDescription(`${publicOrigin}${mcpCallbackPath}`),
            token_endpoint_auth_method: 'none',
          },
  }
}

/** What the sign-in has, and what it lacks. */
function widerScopes(before: ReadSignIn, missing: readonly string[] = []): string[] {
  const granted = before.ok ? (before.value.tokens.scope ?? before.value.scope) : undefined
  return readScopes(granted, ...missing)
}

function viewOf({ authority, scope, client, tokens, signedInAt }: KeptSignIn): McpSignInView {
  const granted = tokens.scope ?? scope
  return {
    state: 'signed_in',
    issuer: authority.issuer,
    client: client.from,
    signedInAt,
    renews: tokens.refresh !== undefined,
    ...(granted !== undefined && { scope: granted }),
    ...(tokens.expiresAt !== undefined && { expiresAt: Math.round(tokens.expiresAt) }),
  }
}
