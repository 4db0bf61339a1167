/** Packs a folder of this machine as the archive of a skill: plain files only, within the limits of a skill. */
import { lstat, opendir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Result } from '#lib/spec/errors'
import { isLeftover, skillFile, skillLimits } from '#lib/spec/skill-folder'
import { packSkill } from './skills'

/** Undefined when there is no SKILL.md in the folder; the error is one sentence. */
export async function packFolder(folder: string): Promise<Result<Uint8Array, string> | undefined> {
  const top = await lstat(path.join(folder, skillFile)).catch(() => undefined)
  if (top?.isFile() !== true) return undefined
  const files: [string, Uint8Array][] = []
  let bytes = 0
  const pending = ['']
  try {
    for (let above = pending.pop(); above !== undefined; above = pending.pop()) {
      for await (const entry of await opendir(path.join(folder, above))) {
        if (isLeftover(entry.name)) continue
        const at = above === '' ? entry.name : `${above}/${entry.name}`
        if (entry.isDirectory()) pending.push(at)
        else if (!entry.isFile())
          return fail(`“${at}” is a link or a special file. A skill may only have plain files.`)
        else {
          bytes += (await lstat(path.join(folder, at))).size
          if (files.length === skillLimits.files)
            return fail(`The skill has more than ${skillLimits.files} files.`)
          if (bytes > skillLimits.bytes)
            return fail(`The skill is larger than ${skillLimits.bytes / 1024 / 1024} MB.`)
          files.push([at, await readFile(path.join(folder, at))])
        }
      }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return fail(`The folder cannot be read (${String(error.code)}).`)
  }
  return { ok: true, value: await packSkill(path.basename(path.resolve(folder)), files) }
}

function fail(error: string): Result<never, string> {
  return { ok: false, error }
}
