/** Words of the section on skills. Pure. */
import { listFirstNames } from '#lib/spec/tool-class'
import type { ImportedSkill } from '#lib/wire/skills'

export function filesInWords(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  const kilobytes = bytes / 1024
  if (kilobytes < 1024) return `${kilobytes < 10 ? kilobytes.toFixed(1) : Math.round(kilobytes)} KB`
  return `${(kilobytes / 1024).toFixed(1)} MB`
}

/** What an import has done, and where the skill waits for a person. */
export function importWords({ skill: { name, files, usedBy, hash }, was }: ImportedSkill): string {
  if (was === hash) return `${name} is here already, with the same files.`
  const waiting = usedBy.filter(({ isCurrent }) => !isCurrent).map((each) => each.title || each.name)
  const off =
    waiting.length === 0
      ? ''
      : ` It is off in ${listFirstNames(waiting)} until you have looked at the changes there.`
  if (was !== null) return `${name} is replaced.${off}`
  return `${name} is imported, ${filesInWords(files)}.${off === '' ? ' Add it to an agent to use it.' : off}`
}
