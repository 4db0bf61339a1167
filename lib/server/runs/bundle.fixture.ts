/** Bundles the program of a test, so that it can run in a process of its own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { recipeOf } from '#lib/setup/bundle.mjs'
import { at } from '#lib/setup/place.mjs'

/**
 * `file` names a fixture in `lib/server`, without `.fixture.ts`. The bundle is written inside the project,
 * where it finds the packages.
 */
export async function bundleFixture(file: string): Promise<{ file: string; remove(): void }> {
  mkdirSync(at('node_modules/.cache'), { recursive: true })
  const name = path.basename(file)
  const folder = mkdtempSync(at('node_modules/.cache', `${name}-`))
  await build(recipeOf({ [name]: `lib/server/${file}.fixture.ts` }, folder))
  return {
    file: path.join(folder, `${name}.mjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
