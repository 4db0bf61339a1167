/** For tests of sign-ins: what the person's browser does, and what failures say. */
import { expect } from 'vitest'
import { AppError } from '#lib/spec/errors'

/** Where the person's browser reaches the server. */
export const origin = 'http://127.0.0.1:3000'

/** Does what the person's browser does: opens the address, allows, and comes back with these parameters. */
export async function allowAt(address: string): Promise<Record<string, string>> {
  const opened = new URL(address)
  opened.pathname = '/allow'
  const answer = await fetch(opened, { redirect: 'manual' })
  const back = new URL(answer.headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(opened.searchParams.get('redirect_uri'))
  return Object.fromEntries(back.searchParams)
}

/** The cookie of a Set-Cookie header, as a browser sends it back. */
export const cookieOf = (header: string) => header.split(';', 1)[0] ?? ''

/** The sentence of the failure. */
export async function failure(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(AppError)
  return error instanceof AppError ? error.message : ''
}
