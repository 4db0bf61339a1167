/** The operator's token: compared so that the time tells nothing, and never stored in a browser as it is. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The cookie of a signed-in browser. */
export const cookieName = 'loopwright'

/** Compares in the same time whatever is offered, however long. */
export function equalTo(known: string): (offered: string | undefined) => boolean {
  const digest = digestOf(known)
  return (offered) => offered !== undefined && timingSafeEqual(digestOf(offered), digest)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** What the cookie holds: it follows from the token, so it outlives a restart and ends with the token. */
export function cookieValue(token: string): string {
  return createHmac('sha256', token).update('loopwright session 1').digest('base64url')
}

/** Whether the headers of a request show the token, as a bearer or by the cookie. */
export function tokenCheck(token: string): (authorization: string, cookies: string) => boolean {
  const isToken = equalTo(token)
  const isCookie = equalTo(cookieValue(token))
  return (authorization, cookies) => isToken(bearerOf(authorization)) || isCookie(cookieOf(cookies))
}

function bearerOf(authorization: string): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(authorization)?.[1]
}

function cookieOf(cookies: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const [name, value] = pair.split('=', 2)
    if (name?.trim() === cookieName) return value?.trim()
  }
  return undefined
}
