/** `--endpoint name=URL`: addresses that are given at the command line, as if the environment had them. */
import { readBaseUrl } from '#lib/server/environment/base-url'
import type { Result } from '#lib/spec/errors'
import type { Provider } from '#lib/spec/model'
import { addressVariable, endpointVariable } from '#lib/spec/variables'
import { providerName } from '#lib/wire/providers'
import type { Terminal } from './terminal'

/** The environment with the given addresses in it, which win; the error is one sentence. */
export function withEndpoints(
  env: Terminal['env'],
  given: readonly string[],
  providers: readonly Provider[],
): Result<Terminal['env'], string> {
  const next = { ...env }
  for (const text of given) {
    const [, name = '', address = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? []
    if (!providerName.safeParse(name).success)
      return wrong(
        `--endpoint must be a name and an address, as in --endpoint ollama=http://127.0.0.1:11434/v1.`,
      )
    const read = readBaseUrl(address)
    if (!read.ok) return wrong(`--endpoint ${name}: ${read.error}`)
    const isOwn = providers.some(({ id }) => id === name)
    next[isOwn ? addressVariable(name) : endpointVariable(name)] = read.value
  }
  return { ok: true, value: next }
}

function wrong(error: string): Result<never, string> {
  return { ok: false, error }
}
