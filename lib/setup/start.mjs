/** `npm start`: runs all set-up stages, then the app in this same process. */
import { bundles } from './bundle.mjs'
import { followParent } from './child.mjs'
import { launch } from './launch.mjs'
import { prepareAll } from './prepare.mjs'
import { perform } from './stage.mjs'

await perform(async () => {
  followParent()
  await prepareAll()
  // Next uses its production paths only with this variable.
  process.env.NODE_ENV = 'production'
  await launch({ folder: bundles, dev: false })
})
