/** The unit tests: every `*.test.ts` beside the code it speaks of. */
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const root = path.resolve(import.meta.dirname, '..')

export default defineConfig({
  root,
  test: {
    include: ['{app,components,db,e2e,examples,lib}/**/*.test.{ts,tsx}'],
    environment: 'node',
    // Native modules do not load twice in the threads of one process.
    pool: 'forks',
    maxWorkers: 2,
    // A busy machine is no fault of the code.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    globalSetup: path.join(root, 'lib/setup/vitest-bundles.mjs'),
    setupFiles: path.join(root, 'e2e/vitest.setup.ts'),
  },
})
