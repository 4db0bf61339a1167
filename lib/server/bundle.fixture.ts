/** Makes a test's own program runnable in a process of its own. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { recipeOf } from '../setup/bundle.mjs'
import { at } from '../setup/place.mjs'

/** `name` is that of a `<name>.fixture.ts` here. The bundle stands below the project, where it finds the packages. */
export async function bundleFixture(name: string): Promise<{ file: string; remove(): void }> {
  mkdirSync(at('node_modules/.cache'), { recursive: true })
  const folder = mkdtempSync(at('node_modules/.cache', `${name}-`))
  await build(recipeOf({ [name]: `lib/server/${name}.fixture.ts` }, folder))
  return {
    file: path.join(folder, `${name}.mjs`),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
