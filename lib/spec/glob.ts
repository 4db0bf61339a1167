/** Globs over tool names, the one form of scope: `*` stands for any run of characters, all else for itself. */

/** Whether the whole name fits the glob; `schema.*` fits `schema.list_tables`, not `schema`. Linear for any number of stars. */
export function matchesGlob(glob: string, name: string): boolean {
  if (!glob.includes('*')) return glob === name
  const pieces = glob.split('*')
  const first = pieces.shift() ?? ''
  const last = pieces.pop() ?? ''
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false
  // Each piece between two stars may take its earliest place: a later one never leaves more room.
  const end = name.length - last.length
  let at = first.length
  for (const piece of pieces) {
    const found = name.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

export function matchesAny(globs: readonly string[], name: string): boolean {
  return globs.some((each) => matchesGlob(each, name))
}
