/**
 * Calls hooks: posts through the guarded fetch, and puts secrets into headers only for the
 * origins that may receive them.
 */
import type { HeaderValue, HookAnswer, HookPort, HookRequest } from '#lib/spec/hook'
import type { WebPort } from '#lib/spec/sandbox'
import type { Vault } from '../secrets/secrets'

const mostBytes = 64 * 1024

interface HookContext {
  readonly web: Pick<WebPort, 'fetch'>
  /** Opens a secret for an origin. */
  readonly open: Vault['open']
}

/** Creates the port of one run; `runId` is null where runs are not stored. */
export function createHooks({ web, open }: HookContext): (runId: string | null) => HookPort {
  return (runId) => ({
    runId,
    async call({ url, headers, timeoutSeconds, body }, signal) {
      const ready = readyHeaders(url, headers, open)
      if (!ready.ok) return ready
      const answer = await web.fetch(
        {
          url,
          method: 'POST',
          headers: { ...ready.headers, 'content-type': 'application/json' },
          body,
          maxBytes: mostBytes,
          timeoutMs: Math.round(timeoutSeconds * 1_000),
        },
        signal,
      )
      if (!answer.ok) return { ok: false, message: answer.message }
      return read(url, answer.value)
    },
  })
}

function read(
  url: string,
  { status, url: from, body }: { status: number; url: string; body: Uint8Array },
): HookAnswer {
  // A redirect was followed by another request, with another method, which the hook's owner did not set up.
  if (from !== new URL(url).href) return { ok: false, message: `It redirects to ${new URL(from).host}.` }
  if (status < 200 || status > 299) return { ok: false, message: `It answered with status ${status}.` }
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(body) }
  } catch {
    return { ok: false, message: 'Its answer is not UTF-8 text.' }
  }
}

function readyHeaders(
  url: string,
  headers: HookRequest['headers'],
  open: HookContext['open'],
): { ok: true; headers: Record<string, string> } | Extract<HookAnswer, { ok: false }> {
  if (!URL.canParse(url)) return { ok: false, message: 'Its address is not a valid URL.' }
  const { origin } = new URL(url)
  const ready: Record<string, string> = {}
  for (const [name, value] of Object.entries<HeaderValue>(headers)) {
    if (typeof value === 'string') ready[name] = value
    else {
      const opened = open(value.secret, origin)
      if (!opened.ok) return { ok: false, message: opened.problem }
      ready[name] = opened.value
    }
  }
  return { ok: true, headers: ready }
}

/** For the command line without a data folder. */
export const noSecrets: Vault['open'] = (name) => ({
  ok: false,
  why: 'missing',
  problem: `The secret ${name} is not available here. Name the data folder of a server that has it with --data.`,
})
