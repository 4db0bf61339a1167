/** The version of this program, from the manifest in its folder. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const manifest = z.object({ version: z.string() })

export function programVersion(root: string): string {
  return manifest.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))).version
}
