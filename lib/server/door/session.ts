/** Signs a browser in: it sends the token once, then a cookie that no script can read. */
import { AppError } from '#lib/spec/errors'
import { cookieName, cookieValue, equalTo } from './token'

const lifeSeconds = 12 * 60 * 60
/** Wrong tokens allowed in a minute; after that, wrong tokens get `too_many` instead of `unauthorized`. */
const mostMisses = 10
const minute = 60_000

export interface Sessions {
  /**
   * The Set-Cookie header for the right token. Throws `unauthorized` for a wrong one, and `too_many` after
   * ten wrong ones in a minute. The right token always works: nobody is locked out by the guesses of others.
   */
  open(offered: string): string
  /** The Set-Cookie header that signs out. */
  close(): string
}

export function createSessions(options: {
  token?: string
  publicOrigin?: string
  clock: { monotonic(): number }
}): Sessions {
  const { token, publicOrigin, clock } = options
  const isToken = token === undefined ? undefined : equalTo(token)
  const secure = publicOrigin?.startsWith('https:') ? '; Secure' : ''
  const cookie = (value: string, seconds: number) =>
    `${cookieName}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
  let misses: number[] = []
  return {
    open(offered) {
      if (token === undefined || isToken === undefined) return cookie('', 0)
      if (isToken(offered)) return cookie(cookieValue(token), lifeSeconds)
      const now = clock.monotonic()
      misses = misses.filter((at) => at > now - minute)
      if (misses.length >= mostMisses)
        throw new AppError('too_many', 'Too many wrong tokens were sent. Wait a minute, then try again.')
      misses.push(now)
      throw new AppError('unauthorized', 'This is not the token of this server.')
    },
    close: () => cookie('', 0),
  }
}
