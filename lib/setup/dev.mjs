/**
 * `npm run dev`: rebuilds and restarts the server when its sources change, with Next in
 * development mode behind it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { recipesOf, sources } from './bundle.mjs'
import { followParent } from './child.mjs'
import { at, root } from './place.mjs'
import { preparePackages } from './prepare.mjs'
import { perform, say } from './stage.mjs'

// Not below .next, because a `next build` would empty it.
const folder = at('node_modules', '.cache', 'loopwright-dev')
const PATIENCE_MS = 8000
const SETTLE_MS = 100

/**
 * Runs one server at a time: a restart waits until the old server has gone, and restarts that
 * come together count as one.
 */
function supervise() {
  let server
  let queue = Promise.resolve()
  let timer
  const stop = async (signal) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    const force = setTimeout(() => server.kill('SIGKILL'), PATIENCE_MS)
    await gone
    clearTimeout(force)
  }
  const begin = () => {
    server = spawn(process.execPath, [at('lib/setup/dev-server.mjs'), folder], {
      cwd: root,
      stdio: 'inherit',
    })
    server.once('exit', (code) => {
      if (code) say('dev       the server ended; it restarts when a source changes')
    })
  }
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      queue = queue.then(() => stop('SIGTERM')).then(begin)
    }, SETTLE_MS)
  }
  return { restart, stop }
}

async function watch(options, onBuilt) {
  const { context, formatMessages } = await import('esbuild')
  const tell = {
    name: 'tell',
    setup(build) {
      build.onEnd(async ({ errors }) => {
        if (errors.length === 0) return onBuilt()
        for (const line of await formatMessages(errors, { kind: 'error' })) process.stderr.write(line)
      })
    },
  }
  const watched = await context({ ...options, plugins: [...options.plugins, tell] })
  await watched.watch()
  return watched
}

await perform(async () => {
  followParent()
  await preparePackages()
  const { restart, stop } = supervise()
  const { cli: _, ...entries } = sources()
  const watched = await Promise.all(recipesOf(entries, folder).map((each) => watch(each, restart)))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, async () => {
      await Promise.all([stop('SIGTERM'), ...watched.map((each) => each.dispose())])
      process.exit(0)
    })
  }
  say(`dev       watching, bundles in ${path.relative(root, folder)}`)
})
