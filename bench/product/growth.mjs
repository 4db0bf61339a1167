/**
 * Measures whether the product gets slower or larger with use: a step of a long run, the start of a run with many
 * tools, in a long thread and on a full store, the memory over many runs, and what an idle server does. Each ratio is
 * of CPU time of the server to the same on a small scale, in turns within one run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { recipeOf } from '../../lib/setup/bundle.mjs'
import { at } from '../../lib/setup/place.mjs'
import { config, dataFolder, startServer } from './contenders.mjs'

const rounds = Number(process.env.REPS ?? 5)
const steps = Number(process.env.STEPS ?? 1_000)
const stored = Number(process.env.STORED ?? 50_000)
const memoryRuns = Number(process.env.MEMORY_RUNS ?? 2_000)
const idleSeconds = Number(process.env.IDLE ?? 20)

const here = import.meta.dirname
const root = path.resolve(here, '../..')
const model = spawn(process.execPath, [`${here}/model.mjs`], { stdio: ['ignore', 'pipe', 'inherit'] })
process.on('exit', () => model.kill())
const [port] = await once(model.stdout, 'data')
const base = `http://127.0.0.1:${String(port).trim()}/v1`

const empty = await startServer('empty', root, { base })
const full = await startServer('full', root, { base, data: await fullFolder() })
const longRuns = { ...config, policies: [{ use: 'steps', max: steps }] }
const manyTools = {
  ...config,
  name: 'many-tools',
  tools: Array.from({ length: 28 }, () => ({ use: 'builtin', tools: ['*'], onDuplicate: 'rename' })),
}
const agent = await empty.create(longRuns)
const toolsAgent = await empty.create(manyTools)
const fullAgent = await full.create(config)
const thread = await longThread(agent)

console.log(`Node ${process.version}, ${rounds} rounds in turns\n`)
console.log('| CPU of the server | small, ms | grown, ms | ratio |')
console.log('|---|---|---|---|')
const runOf = (server, id, body, times = 1) => ({ server, id, body, times })
await compare(
  `a step of a run of ${steps}, over one of 10`,
  runOf(empty, agent, { input: 'rounds=9' }, 20),
  runOf(empty, agent, { input: `rounds=${steps - 1}` }),
)
const small = runOf(empty, agent, { input: 'rounds=0' }, 20)
await compare('a run of an agent with 500 tools', small, runOf(empty, toolsAgent, { input: 'rounds=0' }, 20))
await compare(
  'a run in a thread of 2,000 messages',
  small,
  runOf(empty, agent, { input: 'rounds=0', threadId: thread }, 20),
)
// The other server has compiled its code in a thousand runs.
for (let each = 0; each < 1_000; each++) await full.ask(fullAgent, { input: 'rounds=0' }, () => {})
await compare(`a run beside ${stored} stored runs`, small, runOf(full, fullAgent, { input: 'rounds=0' }, 20))
await full.close()
await memory()
await idle()
await empty.close()
model.kill()

/** Prints the CPU time of a step of both, and the median of the ratios of the rounds. */
async function compare(title, one, other) {
  for (const each of [one, other]) await cpuOfStep(each)
  const taken = []
  for (let round = 0; round < rounds; round++) taken.push([await cpuOfStep(one), await cpuOfStep(other)])
  const cells = [taken.map(([a]) => a), taken.map(([, b]) => b)].map((each) => median(each).toFixed(2))
  const ratio = median(taken.map(([a, b]) => b / a)).toFixed(2)
  console.log(`| ${title} | ${cells.join(' | ')} | ${ratio} |`)
}

async function cpuOfStep({ server, id, body, times }) {
  const before = server.figures().cpuMs
  let count = 0
  for (let turn = 0; turn < times; turn++)
    await server.ask(id, body, (event) => {
      if (event.type === 'step.finished') count += 1
      if (event.type === 'run.finished' && event.status !== 'completed') throw new Error(event.status)
    })
  return (server.figures().cpuMs - before) / count
}

async function memory() {
  const read = []
  for (let done = 0; done < memoryRuns; done += memoryRuns / 4) {
    for (let each = 0; each < memoryRuns / 4; each++) await empty.ask(agent, { input: 'rounds=1' }, () => {})
    read.push(empty.figures().memoryMb.toFixed(0))
  }
  console.log(`\nMemory at each quarter of ${memoryRuns} runs, MB: ${read.join(', ')}`)
}

/** What the server does while nobody asks for anything. */
async function idle() {
  await sleep(3_000)
  const wakes = () =>
    Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${empty.pid}/status`, 'utf8'))?.[1])
  const [cpu, woken] = [empty.figures().cpuMs, wakes()]
  await sleep(idleSeconds * 1_000)
  const spent = empty.figures().cpuMs - cpu
  console.log(`Idle for ${idleSeconds} s: main thread woken ${wakes() - woken} times, ${spent} ms of CPU`)
}

/** A data folder whose store holds many runs. */
async function fullFolder() {
  const folder = at('.next', 'bench-runs')
  await build(recipeOf({ bench: 'bench/runs/bench.ts' }, folder))
  const { filledStores } = await import(`${folder}/bench.mjs`)
  const data = dataFolder()
  filledStores(path.join(data, 'loopwright.db'), { runs: stored, agents: 1 }).close()
  return data
}

/** A thread of 2,000 messages. */
async function longThread(agent) {
  let threadId
  for (let each = 0; each < 1_000; each++)
    await empty.ask(agent, { input: 'rounds=0', threadId }, (event) => {
      if (event.type === 'run.queued') threadId = event.threadId
    })
  return threadId
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}
