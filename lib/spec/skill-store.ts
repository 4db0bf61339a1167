/** What the database keeps of skills. */
import type { SkillFacts } from './skill'

export interface SkillRow {
  readonly facts: SkillFacts
  readonly createdAt: number
  readonly updatedAt: number
}

export interface SkillStore {
  /** By name. */
  list(): SkillRow[]
  get(name: string): SkillRow | undefined
  /** A version that is kept; undefined when there is none with this hash. */
  version(name: string, hash: string): SkillFacts | undefined
  file(hash: string, path: string): Uint8Array | undefined
  /**
   * Makes this version the one that is used, and keeps the last `keep` others of the skill for comparing. All of it
   * is stored, or nothing.
   */
  put(
    skill: { readonly facts: SkillFacts; readonly files: ReadonlyMap<string, Uint8Array> },
    about: { readonly now: number; readonly keep: number },
  ): void
  /** Removes every version. False when there is no such skill. */
  remove(name: string): boolean
}
