/** The process that `npm run dev` restarts: the development server from the bundles in the given folder. */
import { followParent } from './child.mjs'
import { launch } from './launch.mjs'
import { perform } from './stage.mjs'

await perform(async () => {
  followParent()
  process.env.NODE_ENV = 'development'
  await launch({ folder: process.argv[2], dev: true })
})
