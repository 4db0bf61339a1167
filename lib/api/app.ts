/**
 * How route handlers find the server's one object: routes are bundled apart from the server and share only
 * its process.
 */
import type { Loopwright } from '#lib/server/loopwright'

const slot = Symbol.for('loopwright')

type Place = typeof globalThis & { [slot]?: Loopwright }

export function loopwright(): Loopwright {
  const found = (globalThis as Place)[slot] // cast: this is the only place where the slot has a type
  if (found === undefined) throw new Error('the pages run without their server: start it with npm start')
  return found
}
