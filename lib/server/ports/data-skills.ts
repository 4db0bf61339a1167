/** Opens the skills of a data folder for another program than its server, while no server uses it. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { openStores } from '#db/open'
import type { Result } from '#lib/spec/errors'
import type { SkillStore } from '#lib/spec/skill-store'
import { lockFolder } from '../lock'
import { StartError } from '../start-error'

/** The error is one sentence. */
export async function withDataSkills<T>(
  data: string,
  use: (store: SkillStore) => T | Promise<T>,
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
        error.exitCode === 3
          ? `A server is using ${data}. Import and remove its skills under Settings → Skills, or stop it first.`
          : error.message,
    }
  }
  try {
    const stores = openStores(file)
    try {
      return { ok: true, value: await use(stores.skills) }
    } finally {
      stores.close()
    }
  } finally {
    lock.release()
  }
}
