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

/** Files and folders that systems, version control, package managers and Python leave behind. */
const leftovers = new Set(['.git', 'node_modules', '__pycache__', '__MACOSX', '.DS_Store', 'Thumbs.db'])

/**
 * Whether a path is no part of a skill. Folders and archives leave out the same, so that one skill has one hash.
 */
export function isLeftover(path: string): boolean {
  return path.split('/').some((part) => leftovers.has(part))
}
