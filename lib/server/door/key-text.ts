/** The text of an agent key: made once, recognised in a request, and stored only as its hash. */
import { createHash, randomBytes } from 'node:crypto'
import { keyForm } from '#lib/spec/agent-key'

const form = new RegExp(`^Bearer (${keyForm})$`, 'i')

/** 256 random bits. */
export function newKeyText(): string {
  return `lwk_${randomBytes(32).toString('base64url')}`
}

export function hashOfKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The key in an Authorization header; undefined if it has none. */
export function keyIn(authorization: string): string | undefined {
  return form.exec(authorization)?.[1]
}
