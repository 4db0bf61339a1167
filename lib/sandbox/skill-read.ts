/** Reads an archive as a skill; runs in the child process. Every fault is one sentence. */
import { parseDocument } from 'yaml'
import type { SkillHead } from '#lib/spec/skill'
import { isLeftover, skillFile, skillLimits, skillNamePattern } from '#lib/spec/skill-folder'
import { BadZip, ZipArchive, type ZipEntry } from './zip'

export interface ReadSkill {
  readonly head: SkillHead
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[]
}

const mebibyte = 1024 * 1024
/** Folders have entries of their own. */
const mostEntries = 2_000

/** Throws `BadZip` with one sentence for a person. */
export function readSkill(archive: Uint8Array): ReadSkill {
  const zip = new ZipArchive(archive, mostEntries)
  const kept = zip.entries.filter(({ name }) => !isLeftover(name))
  const root = rootOf(kept)
  const files = kept.flatMap((entry) => {
    const path = pathOf(entry, root)
    return path === undefined ? [] : [{ entry, path }]
  })
  checkAmount(files)
  checkNames(files.map(({ path }) => path))
  const unpacked = files.map(({ entry, path }) => ({ path, content: zip.content(entry) }))
  const instructions = unpacked.find(({ path }) => path === skillFile)
  if (instructions === undefined) throw new BadZip(missing)
  const head = readHead(instructions.content)
  const folder = root.slice(0, -1)
  if (folder !== '' && folder !== head.name)
    throw new BadZip(
      `The folder is named “${shown(folder)}”, but SKILL.md names the skill “${head.name}”. Give both one name.`,
    )
  return { head, files: unpacked.toSorted((a, b) => (a.path < b.path ? -1 : 1)) }
}

const missing = `There is no ${skillFile} at the top of the folder, so this is not a skill.`

/** The one folder that holds everything, with its `/`; empty if SKILL.md is at the top of the archive. */
function rootOf(entries: readonly ZipEntry[]): string {
  const names = entries.map(({ name }) => name)
  if (names.includes(skillFile)) return ''
  const tops = new Set(names.map((name) => name.split('/', 1)[0] ?? ''))
  const [top = ''] = tops
  // Names that climb or are absolute are told apart below, by their own sentence.
  if (tops.size !== 1 || !names.includes(`${top}/${skillFile}`) || top === '' || top === '..') return ''
  return `${top}/`
}

/** The path within the skill; undefined for a folder. */
function pathOf({ name, isSpecial, isEncrypted }: ZipEntry, root: string): string | undefined {
  const fail = (what: string): never => {
    throw new BadZip(`“${shown(name)}” ${what}`)
  }
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) fail('has a character in its name that cannot be seen.')
  if (/^([/\\]|[a-z]:)/i.test(name))
    fail('is an absolute path. Every file must be inside the skill’s folder.')
  const isFolder = name.endsWith('/')
  const path = (isFolder ? name.slice(0, -1) : name).slice(root.length)
  const parts = path.split('/')
  if (name.split('/').includes('..')) fail('leads out of the skill’s folder. Nothing was imported.')
  if (isSpecial) fail('is a link or a special file. A skill may only have plain files.')
  if (isEncrypted) fail('is protected by a password.')
  if (path === '' && isFolder) return undefined
  if (path.includes('\\')) fail('has a backslash in its name.')
  if (parts.some((part) => part === '' || part === '.' || /[ .]$/.test(part) || /[<>:"|?*]/.test(part)))
    fail('has a name that not every system can store.')
  if (path.length > skillLimits.pathChars)
    fail(`has a path of more than ${skillLimits.pathChars} characters.`)
  if (parts.length > skillLimits.depth) fail(`is more than ${skillLimits.depth} folders deep.`)
  return isFolder ? undefined : path
}

function checkAmount(files: readonly { readonly entry: ZipEntry }[]): void {
  const { files: mostFiles, bytes: mostBytes } = skillLimits
  if (files.length > mostFiles)
    throw new BadZip(`The skill has ${files.length} files, and at most ${mostFiles} are allowed.`)
  const bytes = files.reduce((sum, { entry }) => sum + entry.bytes, 0)
  if (bytes > mostBytes)
    throw new BadZip(
      `The skill unpacks to ${Math.ceil(bytes / mebibyte).toLocaleString('en')} MB, and at most ${mostBytes / mebibyte} MB are allowed.`,
    )
}

/** Names that some systems take for the same, and a file where another path needs a folder. */
function checkNames(paths: readonly string[]): void {
  const known = new Map<string, string>()
  const keyOf = (path: string) => path.normalize('NFC').toLowerCase()
  for (const path of paths) {
    const other = known.get(keyOf(path))
    if (other !== undefined)
      throw new BadZip(
        other === path
          ? `“${shown(path)}” is in the archive twice.`
          : `“${shown(other)}” and “${shown(path)}” are the same name on many systems. Rename one of them.`,
      )
    known.set(keyOf(path), path)
  }
  const folders = new Map<string, string>()
  for (const path of paths) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      const clash = known.get(keyOf(folder)) ?? folders.get(keyOf(folder)) ?? folder
      if (known.has(keyOf(folder)) || clash !== folder)
        throw new BadZip(
          `“${shown(clash)}” and “${shown(folder)}” are the same name on many systems. Rename one of them.`,
        )
      folders.set(keyOf(folder), folder)
    }
  }
}

/** A name in a sentence: cut, and without characters that hide. */
function shown(name: string): string {
  const seen = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return seen.length > 80 ? `${seen.slice(0, 79)}…` : seen
}

function readHead(content: Uint8Array): SkillHead {
  if (content.length > skillLimits.instructionsBytes)
    throw new BadZip(
      `${skillFile} is larger than ${skillLimits.instructionsBytes / 1024} KB. Move parts of it to other files.`,
    )
  const text = textOf(content)
  if (text === undefined) throw new BadZip(`${skillFile} is not UTF-8 text.`)
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text)
  if (found === null)
    throw new BadZip(
      `${skillFile} must begin with its front matter: a line “---”, then name and description, then a line “---”.`,
    )
  const head = found[1] ?? ''
  if (head.length > skillLimits.headChars)
    throw new BadZip(`The front matter of ${skillFile} is longer than ${skillLimits.headChars / 1024} KB.`)
  return headOf(dataOf(head))
}

function dataOf(head: string): Record<string, unknown> {
  const fault = (why: string) => new BadZip(`The front matter of ${skillFile} is not valid YAML: ${why}`)
  let data: unknown
  try {
    const document = parseDocument(head, { stringKeys: true, version: '1.2', logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) throw fault(`${error.message.split('\n', 1)[0]?.replace(/:$/, '')}.`)
    data = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    if (error instanceof BadZip) throw error
    throw fault('it is too deep, or it uses aliases.')
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw fault('it has no keys such as name and description.')
  return data as Record<string, unknown> // cast: an object with text keys, by the options above
}

const mostMetadata = 50

function headOf(data: Record<string, unknown>): SkillHead {
  const { name } = data
  if (typeof name !== 'string' || name.length > 64 || !skillNamePattern.test(name))
    throw new BadZip(
      `${skillFile} needs a name of 1 to 64 lowercase letters, digits and single hyphens${typeof name === 'string' ? `, not “${shown(name)}”` : ''}.`,
    )
  const description = wordsOf(data.description)
  if (description === undefined || description === '')
    throw new BadZip(`${skillFile} needs a description that says what the skill does and when to use it.`)
  if (description.length > 1_024)
    throw new BadZip(
      `The description in ${skillFile} has ${description.length.toLocaleString('en')} characters, and at most 1,024 are allowed.`,
    )
  const license = wordsOf(data.license)?.slice(0, 500)
  const compatibility = wordsOf(data.compatibility)?.slice(0, 500)
  return {
    name,
    description,
    ...(license && { license }),
    ...(compatibility && { compatibility }),
    metadata: metadataOf(data.metadata),
    allowedTools: allowedOf(data['allowed-tools']),
  }
}

/** Plain values as text; lists and maps are left out. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function metadataOf(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
  const pairs = Object.entries(value).flatMap(([key, each]): [string, string][] => {
    const words = wordsOf(each)
    return words === undefined ? [] : [[key.slice(0, 100), words.slice(0, 500)]]
  })
  return Object.fromEntries(pairs.slice(0, mostMetadata))
}

/** Words with spaces between them, except within brackets, as in `Bash(git:*) Read`; or a list. */
function allowedOf(value: unknown): string[] {
  const words = Array.isArray(value)
    ? value.flatMap((each) => wordsOf(each) ?? [])
    : ((wordsOf(value) ?? '').match(/[^\s,(]+(\([^)]*\))?/g) ?? [])
  return words.slice(0, 100).map((each) => each.slice(0, 200))
}

/** Undefined if the bytes are not text. */
export function textOf(content: Uint8Array): string | undefined {
  if (content.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
  } catch {
    return undefined
  }
}
