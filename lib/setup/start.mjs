/** `npm start`: runs all set-up stages, then the app in this same process. */
import { bundles } from './bundle.mjs'
import { followParent } from './child.mjs'
import { launch } from './launch.mjs'
import { prepareAll } from './prepare.mjs'
import { perform } from './stage.mjs'
import { usageFor } from './usage.mjs'

const usage = usageFor(process.argv.slice(2))
if (usage !== undefined) {
  const stream = usage.code === 0 ? process.stdout : process.stderr
  stream.write(usage.text)
  process.exit(usage.code)
}
await perform(async () => {
  followParent()
  await prepareAll()
  // Next uses its production paths only with this variable.
  process.env.NODE_ENV = 'production'
  await launch({ folder: bundles, dev: false })
})
