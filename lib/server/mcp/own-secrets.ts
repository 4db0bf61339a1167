/** Moves values that look like secrets from the settings of an MCP server into the vault, declared for that server. */
import { AppError } from '#lib/spec/errors'
import type { McpReach } from '#lib/spec/mcp'
import type { Vault } from '../secrets/secrets'
import { originOfServer } from './access'
import { type FoundSecret, takeSecrets } from './secret-values'
import { secretsIn } from './templates'

type Secrets = Pick<Vault, 'get' | 'save' | 'holds' | 'list'>

interface Taken {
  readonly reach: McpReach
  readonly found: readonly FoundSecret[]
}

/** Changes nothing yet: the names are those under which the values can be stored. */
export function planSecrets(vault: Secrets, server: string, reach: McpReach): Taken {
  const origin = originOfServer(server, reach)
  const chosen = new Map<string, string>()
  const isFree = (name: string, value: string) => {
    const planned = chosen.get(name)
    if (planned !== undefined) return planned === value
    const row = vault.get(name)
    // A secret of this server alone gets the new value.
    return row === undefined || vault.holds(name, value) || row.origins.every((each) => each === origin)
  }
  return takeSecrets(server, reach, (proposal, value) => {
    let name = proposal
    for (let n = 2; !isFree(name, value); n++) name = `${proposal}_${n}`
    chosen.set(name, value)
    return name
  })
}

/** Stores the values. Throws an AppError when the key file cannot be used. */
export function storeSecrets(vault: Secrets, server: string, { reach, found }: Taken): void {
  for (const { name, value } of found) {
    const isKnown = vault.holds(name, value)
    const origin = originOfServer(server, reach)
    if (isKnown && vault.get(name)?.origins.includes(origin)) continue
    vault.save({ name, origins: withOrigin(vault, name, origin), ...(!isKnown && { value }) })
  }
}

/** From now on these secrets, which the settings name, may go to the server. */
export function declareSecrets(
  vault: Secrets,
  server: string,
  reach: McpReach,
  names: readonly string[],
): void {
  const named = new Set(secretsIn(reach))
  for (const name of names) {
    if (!named.has(name) || vault.get(name) === undefined)
      throw new AppError('unprocessable', `${name} is no secret that the settings name.`, { path: 'declare' })
  }
  const origin = originOfServer(server, reach)
  for (const name of names) vault.save({ name, origins: withOrigin(vault, name, origin) })
}

/** No secret may go to this program any more: another one may get its name later. */
export function withdrawSecrets(vault: Secrets, origin: string): void {
  for (const { name, origins } of vault.list()) {
    if (origins.includes(origin)) vault.save({ name, origins: origins.filter((each) => each !== origin) })
  }
}

function withOrigin(vault: Secrets, name: string, origin: string): string[] {
  return [...new Set([...(vault.get(name)?.origins ?? []), origin])]
}
