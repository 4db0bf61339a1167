/** What is kept of a sign-in to an MCP server: the agreed authorization server, the client and the tokens, sealed. */
import { z } from 'zod'
import { signInClient } from '#lib/mcp/sign-in-client'
import { authority } from '#lib/mcp/sign-in-discovery'
import { signInTokens } from '#lib/mcp/sign-in-tokens'
import { AppError } from '#lib/spec/errors'
import { tryParseJson } from '#lib/spec/json'
import type { McpSignInStore } from '#lib/spec/mcp-store'
import { keyFile, seal, unseal } from '../secrets/secret-key'

const keptSignIn = z.object({
  authority,
  resource: z.string(),
  scope: z.string().optional(),
  client: signInClient,
  tokens: signInTokens,
  /** When the person signed in, in milliseconds since 1970. */
  signedInAt: z.number(),
})
export type KeptSignIn = z.output<typeof keptSignIn>

/** `unreadable` says in one sentence why a stored sign-in cannot be used. */
export type ReadSignIn =
  | { readonly ok: true; readonly value: KeptSignIn }
  | { readonly ok: false; readonly unreadable?: string }

export interface SignInKeep {
  /** The sign-in to this server at this address. */
  get(server: string, url: string): ReadSignIn
  /** Throws an AppError when the key file cannot be used. */
  put(server: string, url: string, kept: KeptSignIn): void
  remove(server: string): boolean
  /** The address that a server's sign-in is for; undefined if there is none. */
  addressOf(server: string): string | undefined
  /** Every token and client secret, only for redacting texts: the same list until one of them changes. */
  secrets(): readonly string[]
}

interface KeepContext {
  readonly store: McpSignInStore
  /** The data folder. */
  readonly folder: string
  readonly clock: { now(): number }
}

export function createSignInKeep({ store, folder, clock }: KeepContext): SignInKeep {
  const key = keyFile(folder)
  let secrets: readonly string[] | undefined

  const read = ({ server, url, sealed }: { server: string; url: string; sealed: Uint8Array }): ReadSignIn => {
    const known = key.read()
    const text = known.ok ? unseal(known.value, nameOf(server, url), sealed) : undefined
    const kept = text === undefined ? undefined : keptSignIn.safeParse(tryParseJson(text))
    if (kept?.success) return { ok: true, value: kept.data }
    const cause = known.ok ? `${key.file} is not the key that it was encrypted with` : known.error
    return { ok: false, unreadable: `The stored sign-in cannot be decrypted: ${cause}. Sign in again.` }
  }

  return {
    get: (server, url) => {
      const row = store.get(server)
      return row === undefined || row.url !== url ? { ok: false } : read(row)
    },
    put: (server, url, kept) => {
      const known = key.need()
      if (!known.ok)
        throw new AppError(
          'unprocessable',
          `The sign-in was not stored: ${known.error}. Restore the right file.`,
        )
      const sealed = seal(known.value, nameOf(server, url), JSON.stringify(kept))
      store.put({ server, url, sealed, updatedAt: clock.now() })
      secrets = undefined
    },
    remove: (server) => {
      secrets = undefined
      return store.remove(server)
    },
    addressOf: (server) => store.get(server)?.url,
    secrets: () => {
      secrets ??= store.list().flatMap((row) => {
        const kept = read(row)
        return kept.ok ? secretsOf(kept.value) : []
      })
      return secrets
    },
  }
}

function secretsOf({ tokens, client }: KeptSignIn): string[] {
  return [tokens.access, tokens.refresh, client.secret].filter((each) => each !== undefined)
}

/** Bound to the sealed value, so that a sign-in cannot be moved to another server or address. */
function nameOf(server: string, url: string): string {
  return `mcp sign-in ${server} ${url}`
}
