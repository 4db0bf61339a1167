/** Opens what the settings of a data folder hold, for another program than its server, and changes nothing. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { UnusableDatabase } from '#db/fault'
import { openSettings } from '#db/open'
import type { DatabaseSource } from '#lib/sandbox/sql'
import type { Result } from '#lib/spec/errors'
import type { Provider } from '#lib/spec/model'
import type { KnowledgePort } from '#lib/spec/recall-port'
import type { KnowledgeStore } from '#lib/spec/recall-store'
import type { SkillsPort } from '#lib/spec/skill-port'
import type { SettingsStore } from '#lib/spec/store'
import { systemClock } from './clock'
import { databaseSources } from './ports/stored-databases'
import type { StoredProvider } from './providers/connections'
import { createPrices, type PriceOf } from './providers/prices'
import { storedProviders } from './providers/stored-providers'
import { createKnowledge } from './recall/knowledge'
import { createVault, type Vault } from './secrets/secrets'

export interface KeptSettings {
  readonly settings: Pick<SettingsStore, 'get'>
  stored(): Readonly<Record<string, StoredProvider>>
  readonly vault: Pick<Vault, 'get' | 'open' | 'values'>
  readonly priceOf: PriceOf
  databases(): Readonly<Record<string, DatabaseSource>>
  /** Undefined until the server of the folder was started once since an update that added them; so are the collections. */
  readonly skills: SkillsPort | undefined
  /** Searched by words alone. */
  readonly knowledge: KnowledgePort | undefined
  close(): void
}

/** Undefined for a folder in which no server has been started yet; the error is one sentence. */
export function openKeptSettings(
  folder: string,
  providers: readonly Provider[],
): Result<KeptSettings | undefined, string> {
  const file = path.join(folder, 'loopwright.db')
  if (!existsSync(file)) return { ok: true, value: undefined }
  try {
    const { settings, secrets, skills, knowledge, close } = openSettings(file)
    const vault = createVault({ store: secrets, folder, clock: systemClock })
    const value: KeptSettings = {
      settings,
      stored: () => storedProviders(settings),
      vault,
      priceOf: createPrices(settings, providers).priceOf,
      databases: () => databaseSources(settings, vault),
      skills: skills && {
        find: (name) => skills.get(name)?.facts,
        read: (hash, at) => skills.file(hash, at),
      },
      knowledge: knowledge && collectionsIn(knowledge),
      close,
    }
    return { ok: true, value }
  } catch (error) {
    if (error instanceof UnusableDatabase) return { ok: false, error: error.message }
    throw error
  }
}

function collectionsIn(store: KnowledgeStore): KnowledgePort {
  const agents = { heads: () => [], get: () => undefined }
  return createKnowledge({ store, agents, now: systemClock.now })
}
