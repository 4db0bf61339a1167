/** Gives every tool of an agent a name of its own, as its entry says for a name that is taken already. */
import { z } from 'zod'

export const onDuplicate = z.enum(['raise', 'override', 'skip', 'rename'])
/**
 * What happens to a tool whose name an earlier tool has: it is an error, it replaces the earlier one, it is left
 * out, or it gets a number at the end of its name.
 */
export type OnDuplicate = z.infer<typeof onDuplicate>

export interface NamedTool {
  readonly name: string
  readonly onDuplicate: OnDuplicate
}

/** What becomes of one tool, in the order in which the tools were given. */
export type SettledName =
  | { readonly is: 'offered'; readonly name: string }
  /** A later tool replaces it, or an earlier one keeps the name. */
  | { readonly is: 'left out' }
  /** The index of the earlier tool with this name. */
  | { readonly is: 'clash'; readonly with: number }

/** Goes through the tools once; each name is looked up, never searched for. */
export function settleNames(tools: readonly NamedTool[]): SettledName[] {
  const given = new Set(tools.map(({ name }) => name))
  const owners = new Map<string, number>()
  const settled: SettledName[] = []
  const numbers = new Map<string, number>()
  const freeName = (name: string) => {
    for (let number = numbers.get(name) ?? 2; ; number++) {
      const free = `${name}_${number}`
      numbers.set(name, number + 1)
      if (!given.has(free)) return free
    }
  }
  for (const [index, { name, onDuplicate }] of tools.entries()) {
    const owner = owners.get(name)
    if (owner === undefined || onDuplicate === 'override') {
      if (owner !== undefined) settled[owner] = { is: 'left out' }
      owners.set(name, index)
      settled.push({ is: 'offered', name })
    } else if (onDuplicate === 'rename') settled.push({ is: 'offered', name: freeName(name) })
    else settled.push(onDuplicate === 'skip' ? { is: 'left out' } : { is: 'clash', with: owner })
  }
  return settled
}
