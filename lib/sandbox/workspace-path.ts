/**
 * Parses a path of the workspace into plain names, or refuses it. Only the text decides here;
 * the disk is checked later.
 */
import type { FileAnswer } from '#lib/spec/sandbox'

const maxPathBytes = 4_096
const maxNameBytes = 255
const maxDepth = 32

/** Names of writes in progress: no path may contain them, and no list shows them. */
const unfinished = /^\.~[0-9a-f]{16}\.part$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not pass
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]|\p{Surrogate}/u
/** A separator or a parent step that would appear only after decoding. */
const encoded = /%(2f|5c|00|2e)/i
const windowsOnly = /[<>:"|?*]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i

/** The names from the workspace down to the file or folder; empty for the workspace itself (`''`, `.`). */
export function readPath(path: string): FileAnswer<string[]> {
  if (Buffer.byteLength(path) > maxPathBytes)
    return bad('bad_path', `The path is longer than ${maxPathBytes} bytes.`)
  if (invisible.test(path)) return bad('bad_path', 'The path contains an invisible character.')
  if (/^(\/|[A-Za-z]:|~(\/|$))/.test(path)) return outside(path)
  if (path.includes('\\')) return bad('bad_path', `Use / between names, not \\, in "${showPath(path)}".`)
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (names.length > maxDepth) return bad('bad_path', `The path is deeper than ${maxDepth} folders.`)
  for (const name of names) {
    if (climbs(name)) return outside(path)
    if (!isName(name))
      return bad('bad_path', `"${showPath(name)}" cannot be the name of a file or folder here.`)
  }
  return { ok: true, value: names }
}

/** Whether a file or folder may have this name. */
export function isName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > maxNameBytes) return false
  if (invisible.test(name) || unfinished.test(name) || encoded.test(name)) return false
  if (name === '.' || climbs(name) || /[/\\]/.test(name.normalize('NFKC'))) return false
  return process.platform !== 'win32' || !windowsOnly.test(name)
}

/** Whether a name of dots leads up, on some system or after normalization, or looks as if it did. */
function climbs(name: string): boolean {
  return name !== '.' && /^[.\s]+$/.test(name.normalize('NFKC'))
}

export function isUnfinished(name: string): boolean {
  return unfinished.test(name)
}

function outside(path: string): FileAnswer<never> {
  const message = `"${showPath(path)}" leads outside of the workspace: name a file in it, as in "notes/plan.md".`
  return bad('outside', message)
}

function bad(code: 'bad_path' | 'outside', message: string): FileAnswer<never> {
  return { ok: false, code, message }
}

/** A path, shortened for use in a message. */
export function showPath(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 199)}…`
}
