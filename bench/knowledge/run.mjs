/** Fills a collection with many passages and prints how long searches in it take. */
import { build } from 'esbuild'
import { recipeOf } from '../../lib/setup/bundle.mjs'
import { at } from '../../lib/setup/place.mjs'

const folder = at('.next', 'bench-knowledge')
await build(recipeOf({ bench: 'bench/knowledge/bench.ts' }, folder))
const { bench } = await import(`${folder}/bench.mjs`)
await bench({ passages: Number(process.env.PASSAGES ?? 10_000), rounds: Number(process.env.ROUNDS ?? 15) })
