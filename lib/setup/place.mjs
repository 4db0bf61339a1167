/** The project's folder, and small functions that read and write its files. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/**
 * The absolute path of something in the project.
 * @param {...string} parts
 */
export function at(...parts) {
  return path.join(root, ...parts)
}

/**
 * The text of a file; undefined if it cannot be read.
 * @param {string} file absolute path
 * @returns {string | undefined}
 */
export function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * The parsed JSON of a file; undefined if it is missing or incomplete.
 * @param {string} file absolute path
 * @returns {any}
 */
export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Writes a file completely or not at all: a reader sees the old file or the new one.
 * @param {string} file absolute path
 * @param {string | Uint8Array} content
 */
export function writeWhole(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${process.pid}.new`
  fs.writeFileSync(draft, content)
  fs.renameSync(draft, file)
}

/**
 * The SHA-256 over file names and contents, as hex; a missing file has a value of its own.
 * @param {readonly string[]} files paths relative to the project
 * @param {string} [salt] anything else that affects the result
 */
export function digest(files, salt = '') {
  const hash = createHash('sha256').update(salt)
  for (const file of files) {
    hash.update(`\0${file}\0`)
    try {
      hash.update(fs.readFileSync(at(file)))
    } catch {
      hash.update('\0missing')
    }
  }
  return hash.digest('hex')
}

/**
 * All files below a folder that pass the test, as sorted paths relative to the project.
 * @param {string} folder relative to the project
 * @param {(file: string) => boolean} passes
 * @returns {string[]}
 */
export function filesBelow(folder, passes) {
  if (!fs.existsSync(at(folder))) return []
  return fs
    .readdirSync(at(folder), { withFileTypes: true })
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      if (entry.isDirectory()) return filesBelow(file, passes)
      return passes(file) ? [file] : []
    })
    .sort()
}
