/**
 * Seeds a database with many runs and prints how long the list, its filters and sorts, a search and the figures
 * of an agent take.
 */
import { build } from 'esbuild'
import { recipeOf } from '../../lib/setup/bundle.mjs'
import { at } from '../../lib/setup/place.mjs'

const folder = at('.next', 'bench-runs')
await build(recipeOf({ bench: 'bench/runs/bench.ts' }, folder))
const { bench } = await import(`${folder}/bench.mjs`)
await bench({
  runs: Number(process.env.RUNS ?? 50_000),
  agents: Number(process.env.AGENTS ?? 1),
  rounds: Number(process.env.ROUNDS ?? 5),
})
