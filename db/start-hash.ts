/** The key under which a config and its origins are stored once for all runs that start from them. */
import { createHash } from 'node:crypto'

/** @param origins JSON text without line breaks, so that the last line break separates the two texts */
export function hashOfStart(config: string, origins: string): string {
  return createHash('sha256').update(config).update('\n').update(origins).digest('hex')
}
