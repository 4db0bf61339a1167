/** The server's one object as route handlers find it: routes are bundled apart from the server and share only the process. */
import type { Loopwright } from '#lib/server/loopwright'

const slot = Symbol.for('loopwright')

type Place = typeof globalThis & { [slot]?: Loopwright }

export function loopwright(): Loopwright {
  const found = (globalThis as Place)[slot] // cast: the one place where the slot has a type
  if (found === undefined) throw new Error('the pages run without their server: start it with npm start')
  return found
}
