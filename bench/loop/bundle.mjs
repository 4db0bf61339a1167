/**
 * Bundles our loop as a contender, the same way as the server's own code; run directly, it prints the path of
 * the bundle.
 */
import { build } from 'esbuild'
import { recipeOf } from '../../lib/setup/bundle.mjs'
import { at } from '../../lib/setup/place.mjs'

export async function bundle() {
  const folder = at('.next', 'bench-loop')
  const sources = { contender: 'bench/loop/contender.ts', decoder: 'bench/loop/decoder.ts' }
  await build(recipeOf(sources, folder))
  return folder
}

if (process.argv[1] === import.meta.filename) console.log(`${await bundle()}/contender.mjs`)
