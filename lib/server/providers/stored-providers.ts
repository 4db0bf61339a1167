/** What the settings of a data folder hold about providers: addresses, idle limits, and the results of tests. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { SettingsStore } from '#lib/spec/store'
import { type ProviderTest, providerTest } from '#lib/wire/providers'
import type { StoredProvider } from './connections'

export const providersKey = 'providers'
const testsKey = 'provider-tests'

const stored = z.record(
  z.string(),
  z.object({
    baseUrl: z.string().optional(),
    idleSeconds: z.number().optional(),
    promptCache: z.literal(true).optional(),
  }),
)

export function storedProviders(settings: Pick<SettingsStore, 'get'>): Record<string, StoredProvider> {
  const read = stored.safeParse(settings.get(providersKey) ?? {})
  return read.success ? (read.data as Record<string, StoredProvider>) : {} // cast: zod adds undefined to optional keys
}

/** The address and key that a test was made with: its result says nothing about others. */
export interface Tested {
  readonly name: string
  readonly baseUrl: string | null
  /** The key, if there was one. */
  readonly value?: string | undefined
}

export interface StoredTests {
  /** The last test of exactly this address and key. */
  last(tested: Tested): ProviderTest | null
  save(tested: Tested, test: ProviderTest): void
  remove(name: string): void
}

const row = z.object({ with: z.string(), test: providerTest })
type Rows = Readonly<Record<string, z.infer<typeof row>>>

/** Tests are stored, so that a provider which answered yesterday is still known to answer after a restart. */
export function createStoredTests(settings: SettingsStore): StoredTests {
  const read = z.record(z.string(), row).safeParse(settings.get(testsKey) ?? {})
  let rows: Rows = read.success ? read.data : {}
  const put = (next: Rows) => {
    rows = next
    settings.set(testsKey, next)
  }
  return {
    last: (tested) => {
      const found = Object.hasOwn(rows, tested.name) ? rows[tested.name] : undefined
      return found?.with === markOf(tested) ? found.test : null
    },
    save: (tested, test) => put({ ...rows, [tested.name]: { with: markOf(tested), test } }),
    remove: (name) => {
      const { [name]: gone, ...rest } = rows
      if (gone !== undefined) put(rest)
    },
  }
}

/** Recognises an address with its key, and is too short to reveal anything about the key. */
function markOf({ name, baseUrl, value }: Tested): string {
  const text = JSON.stringify([name, baseUrl, value ?? null])
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
