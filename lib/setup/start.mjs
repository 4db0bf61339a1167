/** `npm start`: all set-up, then the app in this same process. */
import { bundles } from './bundle.mjs'
import { followParent } from './child.mjs'
import { launch } from './launch.mjs'
import { prepareAll } from './prepare.mjs'
import { perform } from './stage.mjs'

await perform(async () => {
  followParent()
  await prepareAll()
  // Next takes its production paths only by this.
  process.env.NODE_ENV = 'production'
  await launch({ folder: bundles, dev: false })
})
