/**
 * Composes everything that runs need to call models: providers with their keys, prices,
 * breakers, and outbound requests.
 */
import { createBreakers } from '#lib/models/breaker'
import type { Parts } from '#lib/spec/config'
import type { Redact } from '#lib/spec/redact'
import type { Stores } from '#lib/spec/store'
import type { Surroundings } from '../agents/assemble'
import { systemClock } from '../clock'
import type { Environment } from '../environment/environment'
import { nothingSaid } from '../environment/environment-outbound'
import { createOutbound } from '../environment/outbound'
import { createSignInKeep, type SignInKeep } from '../mcp/sign-in-keep'
import { createRedact } from '../secrets/redact'
import { createVault, type Vault } from '../secrets/secrets'
import { homeOf } from './homes'
import { createPrices, type Prices } from './prices'
import { createProviders, type Providers } from './providers'

export interface Models {
  readonly vault: Vault
  /** Sign-ins to MCP servers, whose tokens are secrets too. */
  readonly signInKeep: SignInKeep
  readonly prices: Prices
  readonly providers: Providers
  readonly redact: Redact
  readonly surroundings: Surroundings
  closeOutbound(): void
}

/** Everything that the server knows about models, and what its runs need of it. */
export function openModels(
  stores: Stores,
  { dataFolder, token, outbound = nothingSaid }: Environment,
  parts: Parts,
): Models {
  const clock = systemClock
  const { fetch, post, close } = createOutbound()
  const vault = createVault({ store: stores.secrets, folder: dataFolder, clock })
  const signInKeep = createSignInKeep({ store: stores.mcpSignIns, folder: dataFolder, clock })
  const services = [...Object.values(outbound.providers), ...Object.values(outbound.search ?? {})]
  const said = [token, ...services.map((each) => each?.key)]
  const operators = said.filter((each) => each !== undefined)
  const redact = createRedact(() => [operators, vault.values(), signInKeep.secrets()])
  const prices = createPrices(stores.settings, parts.providers)
  const providers = createProviders({
    parts: parts.providers,
    environment: outbound.providers,
    settings: stores.settings,
    vault,
    clock,
    fetch,
    redact,
    sleep: systemClock.sleep,
    priceOf: prices.priceOf,
  })
  const breakers = createBreakers({ clock })
  return {
    vault,
    signInKeep,
    prices,
    providers,
    redact,
    surroundings: {
      parts,
      sleep: clock.sleep,
      endpoint: providers.endpoint,
      fetch,
      cacheRefusals: new Set(),
      post,
      priceOf: prices.priceOf,
      breakerOf: ({ provider, endpoint = provider, model }) =>
        breakers.of(homeOf(parts.providers, endpoint), model),
      redact,
    },
    closeOutbound: () => void close(),
  }
}
