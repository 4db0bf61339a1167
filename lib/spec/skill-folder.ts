/** What the folder of a skill may hold. Apart from the schemas, since a process that loads no package reads skills. */

/** The name of a skill, which has at most 64 characters. */
export const skillNamePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Limits on one skill. */
export const skillLimits = {
  files: 200,
  bytes: 20 * 1024 * 1024,
  /** Of SKILL.md. */
  instructionsBytes: 256 * 1024,
  /** Of its front matter. */
  headChars: 16 * 1024,
  pathChars: 240,
  depth: 10,
} as const

/** The file that every skill has. */
export const skillFile = 'SKILL.md'
