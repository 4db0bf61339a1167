/**
 * `node e2e/model-server.mjs --port 4010 --behaviour demo`: bundles the model server, and runs it until
 * Ctrl-C.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { recipeOf } from '../lib/setup/bundle.mjs'
import { at } from '../lib/setup/place.mjs'

const folder = at('node_modules', '.cache', 'loopwright-e2e')
await build(recipeOf({ 'model-server': 'e2e/model-server.ts' }, folder))
const { main } = await import(pathToFileURL(path.join(folder, 'model-server.mjs')).href)
await main(process.argv.slice(2))
