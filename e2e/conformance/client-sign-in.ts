/** The product's sign-in for the conformance suite: it opens the address itself, as a person who allows everything. */
import type { McpRoute } from '#lib/mcp/servers'
import { beginSignIn, finishSignIn } from '#lib/mcp/sign-in'
import type { SignInClient } from '#lib/mcp/sign-in-client'
import type { SignInWeb } from '#lib/mcp/sign-in-web'
import { isAppError } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import { hostAndPort } from '#lib/web/web-target'

type AuthProvider = NonNullable<Extract<McpRoute, { transport: 'http' }>['authProvider']>

const redirectUri = 'http://127.0.0.1:3000/settings/mcp/callback'
/** The suite accepts this address of a client document, and nobody reads it. */
const documentUrl = 'https://conformance-test.local/client-metadata.json'

/** The guarded client. The servers of the suite are on this machine, so it may reach each address it is given. */
const web: SignInWeb = {
  async ask(request) {
    const guarded = createGuardedFetch({ allow: [hostAndPort(new URL(request.url))] })
    try {
      return await guarded.fetch(request, new AbortController().signal)
    } finally {
      await guarded.close()
    }
  },
  refusalOf: () => undefined,
}

/** @param given the context of the scenario, with the client that it has registered by hand, if any */
export function createSuiteSignIn(serverUrl: string, given: JsonObject): AuthProvider {
  const { client_id: id, client_secret: secret } = given
  const entered = typeof id === 'string' ? { id, ...(typeof secret === 'string' && { secret }) } : undefined
  let token: string | undefined
  let before: { readonly issuer: string; readonly client: SignInClient } | undefined

  const begin = () =>
    beginSignIn(web, { serverUrl, redirectUri, documentUrl, entered, before, now: Date.now() })

  return {
    token: async () => token,
    onUnauthorized: async () => {
      const { address, pending } = await begin().catch((error: unknown) => {
        if (before === undefined || !isAppError(error)) throw error
        // The server names another authorization server now. A person who trusts it signs out first.
        before = undefined
        return begin()
      })
      token = (await finishSignIn(web, pending, await allowAt(address), Date.now())).access
      before = { issuer: pending.authority.issuer, client: pending.client }
    },
  }
}

/** What the authorization server sends back with the person's browser. */
async function allowAt(address: string) {
  const answer = await fetch(address, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '', address).searchParams
  const read = (name: string) => back.get(name) ?? undefined
  return {
    code: read('code'),
    iss: read('iss'),
    error: read('error'),
    error_description: read('error_description'),
  }
}
