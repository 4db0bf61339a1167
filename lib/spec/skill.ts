/** What a skill is: a folder with a SKILL.md that tells a model how to do one thing, and the files that go with it. */
import { z } from 'zod'
import { skillNamePattern } from './skill-folder'

const skillNameForm = 'lowercase letters, digits and single hyphens, as in "meeting-notes"'

/** The name in the front matter of SKILL.md, and of its folder. */
export const skillName = z.string().min(1).max(64).regex(skillNamePattern, skillNameForm)

/** The hash of all files of a skill with their paths. */
export const skillHash = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'the hash of a version: “sha256:” and 64 hexadecimal digits')

/** The most skills of one agent. */
export const mostSkills = 50

/** One skill of a config. The hash is that of the files which a person has looked at. */
export const skill = z
  .strictObject({
    name: skillName.meta({
      title: 'Skill',
      description: 'A skill of Settings → Skills.',
      format: 'skill',
      form: 'the name of a skill in Settings → Skills, as in "meeting-notes"',
      // Written even when they equal a default.
      always: true,
    }),
    hash: skillHash.meta({
      title: 'Version',
      description: 'The files that the agent uses. After a change the skill is off until you have looked.',
      format: 'skill-hash',
      form: 'the hash of the skill, which is set when the skill is chosen',
      always: true,
    }),
  })
  .meta({ title: 'Skill' })
export type SkillSettings = z.output<typeof skill>

/** A skill that stands in a config twice. */
export function skillFaults(skills: readonly SkillSettings[]): { path: string; message: string }[] {
  const known = new Set<string>()
  return skills.flatMap(({ name }, index) => {
    const isTwice = known.has(name)
    known.add(name)
    return isTwice ? [{ path: `skills/${index}/name`, message: `The skill "${name}" is here already` }] : []
  })
}

export const skillPart = z.strictObject({
  /** Relative to the skill's folder, with `/`. */
  path: z.string(),
  bytes: z.int().nonnegative(),
  /** The hash of its bytes, as hex. */
  sha256: z.string(),
  /** Whether it is text in UTF-8 that a model can read. */
  isText: z.boolean(),
})
export type SkillPart = z.output<typeof skillPart>

/** What the front matter of SKILL.md says. All of it was written by whoever made the skill. */
export const skillHead = z.strictObject({
  name: skillName,
  description: z.string(),
  license: z.string().optional(),
  compatibility: z.string().optional(),
  metadata: z.record(z.string(), z.string()),
  /** Tools that the skill expects. They are shown, and change nothing that the agent may do. */
  allowedTools: z.array(z.string()),
})
export type SkillHead = z.output<typeof skillHead>

/** One version of a skill. */
export const skillFacts = z.strictObject({
  ...skillHead.shape,
  hash: skillHash,
  bytes: z.int().nonnegative(),
  /** Sorted by path. */
  files: z.array(skillPart),
})
export type SkillFacts = z.output<typeof skillFacts>

/** A skill as a run tells the model of it. */
export const skillLine = z.strictObject({
  /** The entry of the config: `skills/0`. */
  node: z.string(),
  name: z.string(),
  description: z.string(),
})
export type SkillLine = z.output<typeof skillLine>

/** The names of the tools that an agent with skills has. */
export const skillLoadName = 'skill.load'
export const skillRunName = 'skill.run'

/** Where sandboxes have the files of a skill. */
export function skillFolder(name: string): string {
  return `/skills/${name}`
}

/** The text whose SHA-256 is the hash of a skill: one line a file, sorted by path. */
export function skillManifest(files: readonly Pick<SkillPart, 'path' | 'sha256'>[]): string {
  return files
    .map(({ path, sha256 }) => `${sha256}  ${path}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
    .join('')
}

/** Scripts that can be run, by the kind of code they are; undefined for any other file. */
export function scriptKindOf(path: string): 'python' | 'shell' | undefined {
  if (/\.py$/i.test(path)) return 'python'
  return /\.(sh|bash)$/i.test(path) ? 'shell' : undefined
}
