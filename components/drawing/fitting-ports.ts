/**
 * While a wire is drawn: the ports of a card where it could end. Computed once per wire and read by every
 * card.
 */
import type { Wiring } from './wiring'

const read = new WeakMap<Wiring, ReadonlyMap<string, string>>()

/**
 * Names of the card's matching ports, joined by spaces. Null when none matches, so that the card dims;
 * undefined while no wire is drawn.
 */
export function fittingPorts(wiring: Wiring | null, node: string): string | null | undefined {
  if (wiring === null) return undefined
  if (!wiring.nodes.has(node)) return null
  let known = read.get(wiring)
  if (known === undefined) {
    known = byNode(wiring)
    read.set(wiring, known)
  }
  return known.get(node) ?? ''
}

function byNode({ ports }: Wiring): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const key of ports) {
    const colon = key.lastIndexOf(':')
    const node = key.slice(0, colon)
    const before = found.get(node)
    found.set(node, `${before === undefined ? '' : `${before} `}${key.slice(colon + 1)}`)
  }
  return found
}

/** Whether such a list contains a port. */
export function listsPort(list: string | null | undefined, port: string): boolean {
  return typeof list === 'string' && list !== '' && list.split(' ').includes(port)
}
