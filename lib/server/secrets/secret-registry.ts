/** Secrets as the API shows them: names, allowed origins and users, never values. */

import { AppError } from '#lib/spec/errors'
import type { SecretRow } from '#lib/spec/store'
import { type SaveSecret, type SecretList, type SecretView, secretName } from '#lib/wire/secrets'
import type { Vault } from './secrets'

/** Secrets can be written but never read back. All methods throw AppErrors. */
export interface SecretRegistry {
  list(): SecretList
  save(name: string, body: SaveSecret): SecretView
  remove(name: string): void
}

interface RegistryContext {
  readonly vault: Vault
  /**
   * Tells of a secret who uses it: providers, databases, `mcp:<server>`, `agent:<name>` and
   * `agent:<name>@<version>`. What that needs of all agents is read once; `only` names the one secret that is asked for.
   */
  users(only?: string): (name: string) => string[]
}

export function createSecrets({ vault, users }: RegistryContext): SecretRegistry {
  const view = ({ name, hint, origins, updatedAt }: SecretRow, using = users(name)): SecretView => {
    const problem = vault.problem(name)
    const shown = { name, hint, origins: [...origins], usedBy: using(name), updatedAt }
    return problem === undefined ? shown : { ...shown, problem }
  }
  return {
    list: () => {
      const rows = vault.list()
      if (rows.length === 0) return { items: [] }
      const using = users()
      return { items: rows.map((row) => view(row, using)) }
    },
    save: (name, { value, origins }) => {
      if (!secretName.safeParse(name).success) {
        const message =
          'The name may contain only uppercase letters, digits and single underscores, as in WEATHER_KEY.'
        throw new AppError('bad_request', message, { path: 'name' })
      }
      return view(
        vault.save({
          name,
          ...(value !== undefined && { value }),
          ...(origins !== undefined && { origins }),
        }),
      )
    },
    remove: (name) => {
      if (!vault.remove(name)) throw new AppError('not_found', `There is no secret ${name.slice(0, 100)}.`)
    },
  }
}
