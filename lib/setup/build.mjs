/** Builds the pages with `next build` if one of their sources has changed. */
import fs from 'node:fs'
import { tool } from './child.mjs'
import { withLock } from './lock.mjs'
import { at, digest, filesBelow, readJson, readText, writeWhole } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

const folders = ['app', 'components', 'lib', 'db', 'public']
const single = ['package-lock.json', 'tsconfig.json', 'next.config.js']
const stampFile = () => at('.next', 'loopwright-build')

function isSource(file) {
  return !file.startsWith('lib/setup/') && !/\.(test|fixture)\.tsx?$/.test(file)
}

function fingerprint() {
  const { imports, postcss } = readJson(at('package.json')) ?? {}
  const files = folders.flatMap((folder) => filesBelow(folder, isSource))
  return digest([...single, ...files], JSON.stringify([imports, postcss]))
}

/** Builds the pages if needed. This empties .next, so bundles are built afterwards. */
export async function ensureBuilt() {
  const want = fingerprint()
  const isDone = () => readText(stampFile()) === want && fs.existsSync(at('.next', 'BUILD_ID'))
  if (isDone()) return
  await withLock(async () => {
    if (isDone()) return
    await stage({ name: 'build', about: 'pages', usual: '10 to 40 s' }, async () => {
      const { code, output } = await tool('next/dist/bin/next', ['build'], {
        env: { NODE_ENV: 'production' },
      })
      if (code !== 0)
        throw new SetupError(`The pages cannot be built. See the errors with: npx next build\n${output}`)
      writeWhole(stampFile(), want)
    })
  })
}
