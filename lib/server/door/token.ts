/** The operator's token: compared in constant time, and never stored in a browser as it is. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The cookie of a signed-in browser. */
export const cookieName = 'loopwright'

/** Compares digests in constant time, so that the duration reveals nothing about the known text. */
export function equalTo(known: string): (offered: string | undefined) => boolean {
  const digest = digestOf(known)
  return (offered) => offered !== undefined && timingSafeEqual(digestOf(offered), digest)
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The value of the cookie: derived from the token, so it survives a restart and ends with the token. */
export function cookieValue(token: string): string {
  return createHmac('sha256', token).update('loopwright session 1').digest('base64url')
}

/** Whether the headers of a request contain the token, as a bearer token or in the cookie. */
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
