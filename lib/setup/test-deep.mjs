/** `npm run test:deep`: the marked tests at full size, then all unit tests and one journey on newer Nodes. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { followParent, run } from './child.mjs'
import { ensureChromium } from './chromium.mjs'
import { found, told } from './failures.mjs'
import { withLock } from './lock.mjs'
import { copyProject, ensureOtherNode, environmentOf } from './other-node.mjs'
import { at, readJson } from './place.mjs'
import { prepareAll } from './prepare.mjs'
import { perform, say } from './stage.mjs'
import { deepE2e, deepUnit, plain } from './suites.mjs'
import { summary } from './tally.mjs'

/** Besides the one at hand: every Node that gets fixes. */
const nodes = [22, 24]
const LIMIT_MS = 30 * 60_000

/** Deno and Pyodide, in which Python, just-bash and the readers are tested. Where they cannot be had, those tests say that they did not run. */
async function installSandboxPackages() {
  const data = at('node_modules', '.cache', 'loopwright', 'sandbox')
  const { code, output } = await run(process.execPath, [
    at('lib/setup/bin.mjs'),
    'walls',
    'install',
    '--data',
    data,
  ])
  if (code !== 0) say(`Deno and Pyodide could not be installed for the tests:\n${output}`)
}

/** A Node that cannot be had is a failure: what it would have tested is not known to work. */
async function onNode(major, folder) {
  const name = `node ${major}`
  const own = path.join(folder, `node-${major}`)
  const report = path.join(own, 'tallies.json')
  fs.mkdirSync(own)
  try {
    const project = path.join(own, 'project')
    const program = await withLock(async () => {
      const its = await ensureOtherNode(major)
      copyProject(project)
      return its
    })
    say(`\n${name}`)
    const { code, output } = await run(program, ['lib/setup/test-node.mjs', report], {
      cwd: project,
      show: true,
      limitMs: LIMIT_MS,
      env: { ...plain, ...environmentOf(program) },
    })
    const tallies = readJson(report)
    return code === 0 && tallies !== undefined
      ? tallies.map((tally) => named(name, tally))
      : [failed(name, output)]
  } catch (error) {
    if (!(error instanceof Error && 'expected' in error)) throw error
    say(error.message)
    return [failed(name, error.message)]
  } finally {
    fs.rmSync(own, { recursive: true, force: true })
  }
}

function failed(name, output) {
  return { passed: 0, failed: 1, failures: [found(name, output)] }
}

/** The same counts, and each failure says on which Node it came. */
function named(name, tally) {
  const mark = (failures = []) => failures.map((each) => ({ ...each, suite: `${name} ${each.suite}` }))
  return { ...tally, failures: mark(tally.failures), spared: mark(tally.spared) }
}

await perform(async () => {
  followParent()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-deep-'))
  const tallies = []
  let isOver = false
  try {
    await prepareAll()
    const chromium = await withLock(ensureChromium)
    await installSandboxPackages()
    tallies.push(await deepUnit({ folder, twice: Boolean(process.env.CI) }))
    tallies.push(await deepE2e({ folder, chromium }))
    for (const major of nodes) tallies.push(...(await onNode(major, folder)))
    isOver = true
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
    if (!isOver) tallies.push({ passed: 0, failed: 1 })
    process.exitCode = tallies.some((tally) => tally.failed > 0) ? 1 : 0
    process.once('exit', () => say(`\n${told(tallies)}${summary(tallies)}`))
  }
})
