/** The unit tests: every `*.test.ts` next to the code it tests. */
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { isDeep } from './test-depth'

const root = path.resolve(import.meta.dirname, '..')

/** These measure the memory or watch the children of their own process, in which nothing else may have run before. */
const measuresMemory = [
  'lib/web/guarded-fetch.test.ts',
  'e2e/model-server/scenarios-load.test.ts',
  'lib/sandbox/javascript-bombs.test.ts',
  'lib/sandbox/javascript-escape.test.ts',
  'lib/sandbox/javascript-process.test.ts',
  'lib/sandbox/sql.test.ts',
]

const shared = {
  environment: 'node',
  // Native modules do not load twice in the threads of one process.
  pool: 'forks',
  // Long, since a busy machine must not fail a test of the code.
  testTimeout: isDeep ? 120_000 : 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  setupFiles: path.join(root, 'e2e/vitest.setup.ts'),
} as const

export default defineConfig({
  root,
  test: {
    maxWorkers: 3,
    // A project that extended this config would run these once more.
    globalSetup: [path.join(root, 'lib/setup/vitest-bundles.mjs'), path.join(root, 'e2e/memory-folder.ts')],
    projects: [
      {
        root,
        test: { ...shared, name: 'alone', include: measuresMemory, sequence: { groupOrder: 0 } },
      },
      {
        root,
        test: {
          ...shared,
          name: 'together',
          include: ['{app,components,db,e2e,examples,lib}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', ...measuresMemory],
          // Each process loads a module once for all of its files. The setup file fails a file that leaves a
          // change behind.
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
