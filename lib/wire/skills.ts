/** Skills on the wire: what is imported, and what a person looks at. Their texts are untrusted. */
import { z } from 'zod'
import { skillFacts, skillHash } from '#lib/spec/skill'

const facts = {
  ...skillFacts.omit({ files: true }).shape,
  /** How many files it has, and how many of them are scripts that can be run. */
  files: z.int().nonnegative(),
  scripts: z.int().nonnegative(),
  createdAt: z.int().nonnegative(),
  updatedAt: z.int().nonnegative(),
  /** The agents whose drafts use it, and whether they use the version that is here now. */
  usedBy: z.array(
    z.strictObject({ id: z.string(), name: z.string(), title: z.string(), isCurrent: z.boolean() }),
  ),
}

export const skillView = z.strictObject(facts)
export type SkillView = z.infer<typeof skillView>
export const skillList = z.strictObject({ items: z.array(skillView) })
export type SkillList = z.infer<typeof skillList>

export const skillDetail = z.strictObject({ skill: skillView, list: skillFacts.shape.files })
export type SkillDetail = z.infer<typeof skillDetail>

export const skillFileQuery = z.strictObject({
  path: z.string().min(1).max(1_024),
  /** The version that the file is of; without it, the one that is here now. */
  hash: skillHash.optional(),
})
export const skillText = z.strictObject({
  path: z.string(),
  bytes: z.int().nonnegative(),
  /** The beginning of the file; null if it is not text. */
  text: z.string().nullable(),
  isCut: z.boolean(),
})
export type SkillText = z.infer<typeof skillText>

/** One file that differs between two versions. */
const skillChange = z.strictObject({
  path: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  /** The whole file before and after; null where there is none, or where it is not text or too long to compare. */
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type SkillChange = z.infer<typeof skillChange>

export const skillChangesQuery = z.strictObject({ from: skillHash })
export const skillChanges = z.strictObject({
  from: skillHash,
  to: skillHash,
  /** Null when the earlier version is not kept any more. */
  items: z.array(skillChange).nullable(),
})
export type SkillChanges = z.infer<typeof skillChanges>

/** What an archive holds, before it is imported. */
export const skillPreview = z.strictObject({
  facts: skillFacts,
  /** The version that is here under this name; null when there is none. */
  now: skillHash.nullable(),
  /** How it differs from the version that is here; null for a new skill. */
  changes: z.array(skillChange).nullable(),
})
export type SkillPreview = z.infer<typeof skillPreview>

export const importSkillQuery = z.strictObject({
  /** The hash of the version that it takes the place of; needed where the skill is here already. */
  replaces: skillHash.optional(),
})
export const importedSkill = z.strictObject({ skill: skillView, was: skillHash.nullable() })
export type ImportedSkill = z.infer<typeof importedSkill>
