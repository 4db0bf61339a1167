/** Limits on what a server may send. */

/** Bytes of one message, and so of one result. */
export const maxMessageBytes = 5 * 1_024 * 1_024

/** Levels of nesting in a message, a schema or a structured result. */
export const maxDepth = 64

/** Pages of a list. */
export const maxPages = 100

/** Tools of one server; those after them are left out. */
export const maxTools = 1_000

/** Bytes of one tool's schema. */
export const maxSchemaBytes = 64 * 1_024

/** Characters of a tool's name. */
export const maxNameChars = 128

/** Characters of a tool's description; the rest is cut off. */
export const maxDescriptionChars = 4_096

export const tooLarge = `The server sent a message of more than ${maxMessageBytes / 1_024 / 1_024} MiB, which was not read.`

/**
 * Makes data from JSON text safe to use: keys that could reach a prototype are removed. Returns undefined when it is
 * nested too deeply.
 */
export function cleanJson(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= maxDepth) return undefined
  for (const key of Object.keys(value)) {
    const holder = value as Record<string, unknown> // cast: any object or array can be read by its own keys
    if (key === '__proto__') delete holder[key]
    else if (cleanJson(holder[key], depth + 1) === undefined) return undefined
  }
  return value
}
