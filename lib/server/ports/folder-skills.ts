/** Skills that lie in folders of this machine, for a program without a server. */
import path from 'node:path'
import { packFolder } from '#lib/sandbox/skill-disk'
import { readSkillArchive, type SkillPackage } from '#lib/sandbox/skills'
import type { SkillsPort } from '#lib/spec/skill-port'

export interface FolderSkills {
  readonly skills: SkillsPort
  /** One sentence for each skill that was found and cannot be read. */
  readonly problems: readonly string[]
}

/**
 * Reads these skills, each from the first of the folders that has a folder of its name.
 * @param others where a skill that no folder has is looked for
 */
export async function readFolderSkills(
  names: readonly string[],
  folders: readonly string[],
  others: SkillsPort,
): Promise<FolderSkills> {
  const found = new Map<string, SkillPackage>()
  const problems: string[] = []
  const signal = new AbortController().signal
  for (const name of new Set(names)) {
    for (const folder of folders) {
      const packed = await packFolder(path.join(folder, name))
      if (packed === undefined) continue
      const read = packed.ok ? await readSkillArchive(packed.value, signal) : packed
      if (read.ok) found.set(name, read.value)
      else problems.push(`The skill in ${path.join(folder, name)} cannot be used: ${read.error}`)
      break
    }
  }
  const byHash = new Map([...found.values()].map((each) => [each.facts.hash, each]))
  return {
    skills: {
      find: (name) => found.get(name)?.facts ?? others.find(name),
      read: (hash, at) => byHash.get(hash)?.files.get(at) ?? others.read(hash, at),
    },
    problems,
  }
}
