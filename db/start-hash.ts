/** The name under which what a run starts from is stored once for all runs that start from the same. */
import { createHash } from 'node:crypto'

/** @param origins as JSON text, which stands on one line: the last line break parts the two. */
export function hashOfStart(config: string, origins: string): string {
  return createHash('sha256').update(config).update('\n').update(origins).digest('hex')
}
