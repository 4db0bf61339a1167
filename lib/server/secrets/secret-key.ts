/**
 * The key that seals secrets, kept in its own file next to the database and readable only by
 * this user; and the encryption.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Result } from '#lib/spec/errors'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
/** The first byte of a sealed value: the version of its format. */
const form = 1
const cipher = 'aes-256-gcm'

export interface KeyFile {
  readonly file: string
  /** The present key; the error says in one sentence what is wrong with the file. */
  read(): Result<Buffer, string>
  /** Like `read`, but creates the key when there is none. */
  need(): Result<Buffer, string>
}

/** @param folder the data folder */
export function keyFile(folder: string): KeyFile {
  const file = path.join(folder, 'secret.key')
  return {
    file,
    read: () => readKey(file) ?? { ok: false, error: `${file} is missing` },
    need: () => readKey(file) ?? makeKey(file),
  }
}

function readKey(file: string): Result<Buffer, string> | undefined {
  try {
    const key = readFileSync(file)
    if (key.length !== keyBytes) return { ok: false, error: `${file} does not contain a key` }
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return { ok: true, value: key }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    return { ok: false, error: `${file} cannot be read` }
  }
}

/** Writes the whole key or nothing: a truncated key would be worse than none. */
function makeKey(file: string): Result<Buffer, string> {
  const key = randomBytes(keyBytes)
  const fresh = `${file}.${process.pid}.new`
  try {
    const descriptor = openSync(fresh, 'w', 0o600)
    try {
      writeSync(descriptor, key)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(fresh, file)
    return { ok: true, value: key }
  } catch {
    return { ok: false, error: `${file} cannot be written` }
  }
}

/** @param name bound to the sealed value, so that one secret cannot replace another */
export function seal(key: Buffer, name: string, value: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name))
  const text = Buffer.concat([sealing.update(value, 'utf8'), sealing.final()])
  return Buffer.concat([Buffer.of(form), nonce, sealing.getAuthTag(), text])
}

/** The value; undefined when it was sealed by another key, under another name, or is damaged. */
export function unseal(key: Buffer, name: string, sealed: Uint8Array): string | undefined {
  const bytes = Buffer.from(sealed)
  if (bytes[0] !== form || bytes.length < 1 + nonceBytes + tagBytes) return undefined
  const nonce = bytes.subarray(1, 1 + nonceBytes)
  const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
  const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes })
  try {
    opening.setAAD(Buffer.from(name)).setAuthTag(tag)
    const text = opening.update(bytes.subarray(1 + nonceBytes + tagBytes))
    return Buffer.concat([text, opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
