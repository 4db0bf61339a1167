/** Globs over tool names, the one form of scope: `*` stands for any run of characters, all else for itself. */

const compiled = new Map<string, RegExp>()

/** Whether the whole name fits the glob; `schema.*` fits `schema.list_tables`, not `schema`. */
export function matchesGlob(glob: string, name: string): boolean {
  if (!glob.includes('*')) return glob === name
  let pattern = compiled.get(glob)
  if (pattern === undefined) {
    // Runs of stars are folded to one, so that no glob can make the match backtrack quadratically twice over.
    const source = glob.replace(/\*+/g, '*').split('*').map(escape).join('[^]*')
    pattern = new RegExp(`^${source}$`)
    if (compiled.size > 1_000) compiled.clear()
    compiled.set(glob, pattern)
  }
  return pattern.test(name)
}

export function matchesAny(globs: readonly string[], name: string): boolean {
  return globs.some((each) => matchesGlob(each, name))
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
