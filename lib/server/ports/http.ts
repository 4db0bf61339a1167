/**
 * Sends the HTTP requests of tools: opens their secrets for the origin that the request goes to, and sends it
 * through the guarded client.
 */
import type { HttpAnswer, HttpPort } from '#lib/spec/http-port'
import type { WebPort } from '#lib/spec/sandbox'
import type { Vault } from '../secrets/secrets'

interface HttpContext {
  readonly web: Pick<WebPort, 'fetch'>
  /** Opens a secret for an origin. */
  readonly open: Vault['open']
}

export function createHttp({ web, open }: HttpContext): HttpPort {
  return {
    async send({ url, secrets, build }, signal) {
      if (!URL.canParse(url)) return fail('bad_url', 'The address is not a valid URL.')
      const { origin } = new URL(url)
      const opened = new Map<string, string>()
      for (const name of secrets) {
        const found = open(name, origin)
        if (!found.ok) return { ok: false, code: 'secret', message: found.problem, retryable: false }
        opened.set(name, found.value)
      }
      const request = build((name) => opened.get(name) ?? '')
      if (!URL.canParse(request.url) || new URL(request.url).origin !== origin)
        return fail('bad_url', 'The address of the request is not at the origin of the tool.')
      return web.fetch(request, signal)
    },
  }
}

function fail(code: 'bad_url', message: string): HttpAnswer {
  return { ok: false, code, message, retryable: false }
}
