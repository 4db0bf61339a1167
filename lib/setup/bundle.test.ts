/** What the server and the command line load when they start. */
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { recipeOf } from './bundle.mjs'

/** Packages whose parts are needed before the first request; all others are loaded when they are used. */
const atStart = ['drizzle-orm', 'ipaddr.js', 'next', 're2js', 'undici', 'zod']

test('issue 18: the server and the command line contain no package, and load no parser and no wall at their start', async () => {
  const entries = { serve: 'lib/server/serve.ts', cli: 'lib/cli/main.ts' }
  const { metafile } = await build({ ...recipeOf(entries, '/bundles'), write: false })
  for (const { inputs, imports } of Object.values(metafile.outputs)) {
    expect(Object.keys(inputs).filter((each) => each.includes('node_modules'))).toEqual([])
    const loaded = imports.filter(
      ({ kind, path }) => kind === 'import-statement' && !path.startsWith('node:'),
    )
    const names = new Set(loaded.map(({ path }) => path.replace(/^([^@/]+|@[^/]+\/[^/]+)\/.*$/, '$1')))
    expect([...names].filter((name) => !atStart.includes(name))).toEqual([])
  }
})
