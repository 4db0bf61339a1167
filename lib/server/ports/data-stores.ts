/** Opens the stores of a data folder for another program than its server, while no server uses it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openStores } from '#db/open'
import type { Result } from '#lib/spec/errors'
import type { Stores } from '#lib/spec/store'
import { lockFolder } from '../lock'
import { StartError } from '../start-error'

/**
 * The error is one sentence.
 * @param instead what a person can do while a server uses the folder: `Import its skills under Settings → Skills`
 */
export async function withDataStores<T>(
  { data, instead }: { readonly data: string; readonly instead: string },
  use: (stores: Stores) => T | Promise<T>,
): Promise<Result<T, string>> {
  const file = path.join(data, 'loopwright.db')
  if (!existsSync(file)) {
    const error = `There is no data of Loopwright in ${data}. Start the server once, or name a folder with --data.`
    return { ok: false, error }
  }
  let lock: ReturnType<typeof lockFolder>
  try {
    lock = lockFolder(data)
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return {
      ok: false,
      error:
        error.exitCode === 3 ? `A server is using ${data}. ${instead}, or stop it first.` : error.message,
    }
  }
  try {
    const stores = openStores(file)
    try {
      return { ok: true, value: await use(stores) }
    } finally {
      stores.close()
    }
  } finally {
    lock.release()
  }
}
