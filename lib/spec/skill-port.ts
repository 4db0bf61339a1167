/** The port to the skills that are kept where a run takes place. */
import type { SkillFacts } from './skill'

export interface SkillsPort {
  /** The skill as it is now; the same object until it changes. Undefined when there is none of this name. */
  find(name: string): SkillFacts | undefined
  /** The bytes of a file of one version; undefined when they are gone. */
  read(hash: string, path: string): Uint8Array | undefined
}

export const noSkills: SkillsPort = { find: () => undefined, read: () => undefined }

/** Why a skill of a config cannot be used here, as the end of a sentence; undefined when it can. */
export function skillFault(
  { find }: Pick<SkillsPort, 'find'>,
  { name, hash }: { readonly name: string; readonly hash: string },
): string | undefined {
  const found = find(name)
  if (found === undefined) return `there is no skill “${name}” here`
  return found.hash === hash ? undefined : 'it has changed since a person looked at it'
}
