/**
 * Compares our loop with the floor, with and without storage, alternating in one run; then our XML decoder
 * with its own floor.
 */
import { execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import { bundle } from './bundle.mjs'
import { measureXml } from './xml.mjs'

const reps = Number(process.env.REPS ?? 7)
const only = process.env.ONLY?.split(',')
const contenders = ['floor', 'floor stored', 'ours', 'ours stored']

const common = { tokens: 200, argBytes: 400 }
const scenarios = [
  {
    id: '10x1',
    what: '10 rounds × 1 call',
    scale: { ...common, rounds: 10, calls: 1 },
    runs: 8,
    goals: [1.5, 1.9],
  },
  {
    id: '10x8',
    what: '10 rounds × 8 calls',
    scale: { ...common, rounds: 10, calls: 8 },
    runs: 3,
    goals: [1.5, 1.9],
  },
  {
    id: '100x1',
    what: '100 rounds × 1 call',
    scale: { ...common, rounds: 100, calls: 1 },
    runs: 1,
    goals: [1.5, 1.9],
  },
  {
    id: 'text',
    what: 'text of 20,000 deltas',
    scale: { rounds: 0, calls: 1, tokens: 20_000, argBytes: 0 },
    runs: 2,
    goals: [1.2, 1.4],
  },
  {
    id: 'args',
    what: '2 calls with 32 kB of arguments',
    scale: { rounds: 2, calls: 1, tokens: 20, argBytes: 32_768 },
    runs: 2,
    goals: [1.2, 1.4],
  },
  {
    id: '64',
    what: '64 runs at once (runs a second)',
    scale: { rounds: 3, calls: 2, tokens: 100, argBytes: 200 },
    runs: 64,
    together: true,
    goals: [0.7, 0.55],
  },
]

const canPin = os.cpus().length > 1 && spawnable('taskset')
function spawnable(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
/** The model server gets one core, the measured process the other. */
function pin(child, core) {
  if (canPin) execFileSync('taskset', ['-acp', String(core), String(child.pid)], { stdio: 'ignore' })
}

const here = import.meta.dirname
const folder = await bundle()
const server = spawn(process.execPath, [`${here}/model.mjs`], { stdio: ['ignore', 'pipe', 'inherit'] })
pin(server, 1)
const [port] = await once(server.stdout, 'data')
const base = `http://127.0.0.1:${String(port).trim()}`
process.on('exit', () => server.kill())

async function open(name) {
  const child = fork(`${here}/worker.mjs`, [name, base, `${folder}/contender.mjs`], {
    execArgv: ['--expose-gc', '--no-warnings'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  pin(child, 0)
  await once(child, 'message')
  return {
    name,
    async run(scenario) {
      child.send(scenario)
      const [told] = await once(child, 'message')
      if (told.faults.length > 0) throw new Error(`${name}, ${scenario.what}: ${told.faults.join('; ')}`)
      return told
    },
    async close() {
      child.send({})
      await once(child, 'exit')
    },
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

/** The median of the ratios of each round, with the lowest and the highest. */
function ratioOf(own, floor) {
  const ratios = own.map((value, index) => value / floor[index])
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) }
}

function told({ median, least, most }) {
  return `${median.toFixed(2)} (${least.toFixed(2)}–${most.toFixed(2)})`
}

async function measure(scenario) {
  const workers = []
  for (const name of contenders) workers.push(await open(name))
  const taken = Object.fromEntries(contenders.map((name) => [name, []]))
  const warmUp = { ...scenario, runs: scenario.together ? 64 : Math.max(2, scenario.runs) }
  for (const worker of workers) for (let turn = 0; turn < 3; turn++) await worker.run(warmUp)
  for (let rep = 0; rep < reps; rep++)
    for (const worker of workers) {
      const { cpuMs, wallMs } = await worker.run(scenario)
      const steps = scenario.runs * (scenario.scale.rounds + 1)
      taken[worker.name].push(scenario.together ? scenario.runs / (wallMs / 1_000) : cpuMs / steps)
    }
  for (const worker of workers) await worker.close()
  return taken
}

console.log(
  `Node ${process.version}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, ${reps} rounds by turns\n`,
)
console.log('| | floor | floor stored | ours | goal | ours stored | goal |')
console.log('|---|---|---|---|---|---|---|')
const steps = {}
for (const scenario of scenarios) {
  if (only && !only.includes(scenario.id)) continue
  const taken = await measure(scenario)
  const floor = taken.floor
  steps[scenario.id] = taken
  const [plain, stored] = scenario.goals.map((goal) => `${scenario.together ? '≥' : '≤'} ${goal}`)
  const unit = scenario.together ? 'runs/s' : 'ms a step'
  const cells = [
    `${median(floor).toFixed(2)} ${unit}`,
    told(ratioOf(taken['floor stored'], floor)),
    told(ratioOf(taken.ours, floor)),
    plain,
    told(ratioOf(taken['ours stored'], floor)),
    stored,
  ]
  console.log(`| ${scenario.what} | ${cells.join(' | ')} |`)
}
if (steps['10x1'] && steps['100x1']) {
  console.log('\nCPU of a step at 100 rounds over one at 10:')
  for (const name of contenders)
    console.log(`- ${name}: ${(median(steps['100x1'][name]) / median(steps['10x1'][name])).toFixed(2)}`)
}
if (!only || only.includes('xml')) {
  const { openDecoder } = await import(`${folder}/decoder.mjs`)
  console.log('\n| XML, 200 kB in 8-character pieces | floor | ours | goal | read right |')
  console.log('|---|---|---|---|---|')
  for (const { name, floor, ours, isRight } of measureXml(openDecoder, { reps }))
    console.log(
      `| ${name} | ${median(floor).toFixed(2)} ms | ${told(ratioOf(ours, floor))} | ≤ 2 | ${isRight ? 'yes' : 'no'} |`,
    )
}
server.kill()
