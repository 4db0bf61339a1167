/** The web as sign-ins may use it: public https addresses, and private hosts that the operator has entered. */
import type { SignInWeb } from '#lib/mcp/sign-in-web'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import { hostAndPort, isPrivateHost, targetOf } from '#lib/web/web-target'

/**
 * Calls `use` with the web for one server, whose own host counts as entered by the operator.
 * @param allowHosts `host:port` pairs from the environment
 */
export async function withSignInWeb<T>(
  { serverUrl, allowHosts }: { readonly serverUrl: string; readonly allowHosts: readonly string[] },
  use: (web: SignInWeb) => Promise<T>,
): Promise<T> {
  const allow = [...allowHosts, hostAndPort(new URL(serverUrl))]
  const guarded = createGuardedFetch({ allow })
  const stop = new AbortController()
  try {
    return await use({
      ask: (request) => guarded.fetch(request, stop.signal),
      refusalOf: (address) => refusalOf(address, { allow, allowHosts }),
    })
  } finally {
    stop.abort()
    await guarded.close()
  }
}

function refusalOf(
  address: string,
  { allow, allowHosts }: { readonly allow: readonly string[]; readonly allowHosts: readonly string[] },
): string | undefined {
  const target = targetOf(address, new Set(allow))
  if (!target.ok) return target.message
  const { url } = target
  // Without TLS, whoever is on the way reads the tokens; between private hosts the operator decides.
  const mayBePlain = allowHosts.includes(hostAndPort(url)) || (target.open && isPrivateHost(url))
  if (url.protocol === 'https:' || mayBePlain) return undefined
  return 'It is not an https address. The operator can allow a private host with LOOPWRIGHT_ALLOW_HOSTS.'
}
