/** Asks whoever speaks OpenAI's language which models it has. */
import type { Probe } from '#lib/spec/model'
import { type Probing, probe } from '../probe'
import { going } from '../wire/clients'
import { openaiClient } from './connection'

export async function probeOpenai(probing: Probing): Promise<Probe> {
  return await probe(probing, (endpoint) => ({
    first: '/models',
    get: async (path, how) => await (await openaiClient(endpoint)).get(path, going(how)).asResponse(),
    // All models stand on one page.
    next: () => undefined,
  }))
}
