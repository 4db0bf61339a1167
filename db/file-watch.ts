/**
 * Detects that the file of an open database has been moved, replaced or overwritten. SQLite itself would
 * continue with the file that it has open.
 */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import path from 'node:path'

/** What is wrong, in words; `final` if putting the file back does not help while the database is open. */
export interface DatabaseFileFault {
  readonly words: string
  readonly final: boolean
}

export interface FileWatch {
  look(): DatabaseFileFault | undefined
  /**
   * Call this after the database has been closed: closing a descriptor of the file earlier would
   * release SQLite's locks on it.
   */
  close(): void
}

const magic = 'SQLite format 3\0'
const headerBytes = 100

interface Header {
  readonly pageSize: number
  /** The change counter of the file, which only grows. */
  readonly changes: number
  readonly bytes: number
  readonly application: number
}

/** @param file the file of an open database */
export function watchFile(file: string): FileWatch {
  const name = path.basename(file)
  const descriptor = openSync(file, 'r')
  const opened = fstatSync(descriptor, { bigint: true })
  const buffer = Buffer.alloc(headerBytes)
  let bytes = Number(opened.size)
  let header = readHeader(descriptor, buffer)
  let log: { dev: bigint; ino: bigint } | undefined

  function look(): DatabaseFileFault | undefined {
    try {
      return compare()
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : error
      return { words: `The database file ${name} cannot be checked (${code}).`, final: false }
    }
  }

  function compare(): DatabaseFileFault | undefined {
    const now = statOf(file)
    if (now === undefined)
      return { words: `The database file ${name} has been moved or deleted while in use.`, final: false }
    if (now.ino !== opened.ino || now.dev !== opened.dev)
      return {
        words: `The database file ${name} has been replaced by another file while in use.`,
        final: false,
      }
    const fault = lookInside(Number(now.size))
    return fault === undefined ? lookAtLog() : { words: fault, final: true }
  }

  function lookInside(size: number): string | undefined {
    const found = readHeader(descriptor, buffer)
    // Another program may have shrunk the file correctly; the header then has the smaller size.
    if (size < bytes && (found === undefined || size < found.bytes))
      return `The database file ${name} has been cut short while in use.`
    bytes = size
    if (header !== undefined && (found === undefined || !follows(header, found)))
      return `The database file ${name} has been overwritten while in use.`
    header = found
    return undefined
  }

  function lookAtLog(): DatabaseFileFault | undefined {
    const now = statOf(`${file}-wal`)
    if (log === undefined) {
      log = now
      return undefined
    }
    if (now !== undefined && now.ino === log.ino && now.dev === log.dev) return undefined
    return {
      words: `The log of the database, ${name}-wal, has been moved, deleted or replaced while in use.`,
      final: false,
    }
  }

  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(descriptor)
    isOpen = false
  }
  return { look, close }
}

function statOf(file: string) {
  return statSync(file, { bigint: true, throwIfNoEntry: false })
}

/** Undefined if the file does not start like a database. */
function readHeader(descriptor: number, buffer: Buffer): Header | undefined {
  const read = readSync(descriptor, buffer, 0, headerBytes, 0)
  if (read < headerBytes || buffer.toString('latin1', 0, magic.length) !== magic) return undefined
  // The file format stores a page size of 65536 as 1.
  const pageSize = buffer.readUInt16BE(16) === 1 ? 65_536 : buffer.readUInt16BE(16)
  return {
    pageSize,
    changes: buffer.readUInt32BE(24),
    bytes: buffer.readUInt32BE(28) * pageSize,
    application: buffer.readUInt32BE(68),
  }
}

/** Whether the header can be a later one of the same database. */
function follows(before: Header, now: Header): boolean {
  const isSame = before.application === 0 || now.application === before.application
  return isSame && now.pageSize === before.pageSize && now.changes >= before.changes
}
