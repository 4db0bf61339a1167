/**
 * Sign-ins that people have begun: each can be finished once, within ten minutes, and only by the browser that
 * began it. They are kept in memory, so a restart ends them.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { PendingSignIn } from '#lib/mcp/sign-in'
import { AppError } from '#lib/spec/errors'
import { equalTo } from '../door/token'

const lifeMs = 10 * 60_000
/** Far more than people begin; the oldest is dropped for a new one. */
const mostPending = 100

export interface BegunSignIn {
  readonly server: string
  readonly url: string
  readonly pending: PendingSignIn
}

export interface PendingSignIns {
  /** Returns the cookie for the browser, as a Set-Cookie header. */
  keep(begun: BegunSignIn): { cookie: string; expiresAt: number }
  /**
   * Takes a sign-in out, so that nobody can use it again. Throws an AppError when there is none, or when another
   * browser asks.
   * @param cookies the header Cookie
   */
  take(state: string, cookies: string): BegunSignIn & { readonly cookie: string }
}

export function createPendingSignIns(options: {
  readonly clock: { now(): number }
  readonly publicOrigin?: string | undefined
}): PendingSignIns {
  const { clock, publicOrigin } = options
  const secure = publicOrigin?.startsWith('https:') ? '; Secure' : ''
  const cookieOf = (name: string, value: string, seconds: number) =>
    `${name}=${value}; Path=/api/mcp-sign-in; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
  const all = new Map<string, BegunSignIn & { readonly browser: string; readonly expiresAt: number }>()

  const dropOld = () => {
    const now = clock.now()
    for (const [id, { expiresAt }] of all) if (expiresAt <= now || all.size > mostPending) all.delete(id)
  }

  return {
    keep: (begun) => {
      const id = idOf(begun.pending.state)
      const browser = randomBytes(32).toString('base64url')
      const expiresAt = clock.now() + lifeMs
      all.set(id, { ...begun, browser, expiresAt })
      dropOld()
      return { cookie: cookieOf(nameOf(id), browser, lifeMs / 1_000), expiresAt }
    },
    take: (state, cookies) => {
      const id = idOf(state)
      dropOld()
      const found = all.get(id)
      all.delete(id)
      if (found === undefined)
        throw new AppError(
          'conflict',
          'This sign-in is not known: it was used already, or its ten minutes are over. Start it again.',
        )
      if (!equalTo(found.browser)(cookieIn(cookies, nameOf(id))))
        throw new AppError(
          'conflict',
          'This sign-in was begun in another browser. Start it again in this one.',
        )
      return { ...found, cookie: cookieOf(nameOf(id), '', 0) }
    },
  }
}

function idOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

/** A cookie for each sign-in, so that a browser can have several at the same time. */
function nameOf(id: string): string {
  return `loopwright_mcp_${id.slice(0, 12)}`
}

function cookieIn(cookies: string, wanted: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.split('=', 2)
    if (name?.trim() === wanted) return value?.trim()
  }
  return undefined
}
