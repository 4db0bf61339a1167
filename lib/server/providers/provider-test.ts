/** Tests a provider: asks for its models, and explains the result in words that say what to do. */

import { usualServer } from '#lib/spec/endpoints'
import type { Endpoint, ModelContext, ModelFault, Probe, Provider } from '#lib/spec/model'
import type { Redact } from '#lib/spec/redact'
import type { ProviderTest } from '#lib/wire/providers'
import { createRedact } from '../secrets/redact'
import { endpointOf, type ProviderConnection } from './connections'

/** The time limit of a provider, ms. */
export const testMs = 10_000
/** More than a person would read through; some relays list thousands. */
const maxModels = 2_000

interface TestContext {
  readonly clock: { now(): number; monotonic(): number }
  readonly fetch: ModelContext['fetch']
  readonly redact: Redact
}

/**
 * Never throws. It sends no request when something is missing, and no message
 * contains the key, stored or not.
 */
export async function testConnection(
  { clock, fetch, redact }: TestContext,
  connection: ProviderConnection,
  signal: AbortSignal,
): Promise<ProviderTest> {
  const at = clock.now()
  const began = clock.monotonic()
  const told = (
    ok: boolean,
    message: string,
    more: Pick<Partial<ProviderTest>, 'models' | 'code'> = {},
  ): ProviderTest => {
    const durationMs = Math.round(clock.monotonic() - began)
    const { models = [], ...rest } = more
    return { ok, models: [...new Set(models)].sort().slice(0, maxModels), message, ...rest, at, durationMs }
  }
  const { problem, part, label } = connection
  const endpoint = endpointOf(connection)
  if (problem !== undefined || endpoint === undefined)
    return told(false, problem ?? `${label} has no address.`)
  if (part.probe === undefined) return told(false, `${label} cannot be asked for its models.`)
  const probe = await ask(part.probe, { endpoint, fetch, signal })
  if (!probe.ok) {
    const typed = createRedact(() => (endpoint.key === undefined ? [] : [[endpoint.key]]))
    const { code } = probe.fault
    return told(false, redact(typed(adviceOf(probe.fault, endpoint.baseUrl, part.service?.usualPath))), {
      code,
    })
  }
  const count = probe.models.length
  if (count === 0) return told(true, `${label} answers, but lists no models. Enter the model's name by hand.`)
  return told(true, `${label} answers and lists ${count} ${count === 1 ? 'model' : 'models'}.`, {
    models: [...probe.models],
  })
}

interface Asked {
  readonly endpoint: Endpoint
  readonly fetch: ModelContext['fetch']
  readonly signal: AbortSignal
}

async function ask(
  probe: NonNullable<Provider['probe']>,
  { endpoint, fetch, signal }: Asked,
): Promise<Probe> {
  const late = AbortSignal.timeout(testMs)
  const either = AbortSignal.any([signal, late])
  let answer = await probe(endpoint, { fetch }, either)
  // A kept-alive socket that the server had closed says nothing about the provider.
  if (!answer.ok && answer.fault.retry === 'now') answer = await probe(endpoint, { fetch }, either)
  if (answer.ok || !late.aborted) return answer
  const { host } = new URL(endpoint.baseUrl)
  const message = `${host} did not answer within ${testMs / 1_000} s. Check that it is running and that the address is correct.`
  return { ok: false, fault: { code: 'timeout', message } }
}

/** What is wrong and what to do about it: the client's message, and more when the address shows more. */
function adviceOf(
  { code, status, message }: ModelFault,
  baseUrl: string,
  usualPath: string | undefined,
): string {
  const { host, port, pathname } = new URL(baseUrl)
  if (code === 'connection') {
    const server = usualServer(port)
    return server === undefined ? message : `${message} Is ${server} running there?`
  }
  if (code !== 'not_found') return message
  const there = `${host} answers, but has no list of models at this address (HTTP ${status ?? 404}).`
  const isBare = pathname === '/' && usualPath !== undefined
  return isBare ? `${there} Try ${baseUrl}${usualPath}.` : `${there} Check that the path is correct.`
}
