/**
 * Compares runs of the product over HTTP with a bare loop of fetches, and with an older checkout if `OLD` names one,
 * alternating in one run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { bareLoop, serverOf } from './contenders.mjs'

const reps = Number(process.env.REPS ?? 5)
const one = Number(process.env.RUNS ?? 20)
const many = Number(process.env.MANY ?? 64)
const clients = 16
/** Runs before the memory is read; a server that has done few holds little. */
const before = Number(process.env.MEMORY_RUNS ?? 500)
const old = process.env.OLD && path.resolve(process.env.OLD)

const here = import.meta.dirname
const model = spawn(process.execPath, [`${here}/model.mjs`], { stdio: ['ignore', 'pipe', 'inherit'] })
process.on('exit', () => model.kill())
const [port] = await once(model.stdout, 'data')
const base = `http://127.0.0.1:${String(port).trim()}/v1`

const contenders = [
  bareLoop(base),
  ...(old ? [await serverOf('before', old, { base })] : []),
  await serverOf('now', path.resolve(here, '../..'), { base }),
]
const taken = new Map(contenders.map(({ name }) => [name, []]))
const done = new Map(contenders.map(({ name }) => [name, 0]))

async function runs(contender, count, together) {
  const told = []
  const worker = async () => {
    while (told.length + inWork < count) {
      inWork += 1
      const each = await contender.run()
      inWork -= 1
      told.push(each)
    }
  }
  let inWork = 0
  const begun = performance.now()
  await Promise.all(Array.from({ length: together }, worker))
  done.set(contender.name, done.get(contender.name) + count)
  return { told, perSecond: count / ((performance.now() - begun) / 1_000) }
}

async function rep(contender) {
  const start = contender.figures()?.cpuMs
  const { told } = await runs(contender, one, 1)
  const middle = contender.figures()?.cpuMs
  const { perSecond } = await runs(contender, many, clients)
  return {
    ms: median(told.map(({ ms }) => ms)),
    firstMs: median(told.map(({ firstMs }) => firstMs)),
    cpuMs: (middle - start) / one,
    perSecond,
    cpuManyMs: (contender.figures()?.cpuMs - middle) / many,
  }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

for (const contender of contenders) await runs(contender, 40, 4)
for (let turn = 0; turn < reps; turn++)
  for (const contender of contenders) taken.get(contender.name).push(await rep(contender))
const memory = new Map()
for (const contender of contenders) {
  if (contender.figures() === undefined) continue
  const left = before - done.get(contender.name)
  if (left > 0) await runs(contender, left, clients)
  memory.set(contender.name, contender.figures().memoryMb)
}
for (const contender of contenders) await contender.close()
model.kill()

const columns = [
  ['a run, ms', 'ms'],
  ['first event, ms', 'firstMs'],
  ['CPU a run, ms', 'cpuMs'],
  [`${clients} clients, runs/s`, 'perSecond'],
  [`CPU a run, ${clients} clients, ms`, 'cpuManyMs'],
]

/** The median of the rounds, and the median of their ratios to the same rounds of the checkout before. */
function cell(name, key) {
  const own = taken.get(name).map((each) => each[key])
  if (own.some(Number.isNaN)) return ''
  const text = median(own).toFixed(1)
  const other = name === 'now' && taken.get('before')
  if (!other) return text
  return `${text} (${median(own.map((value, turn) => value / other[turn][key])).toFixed(2)})`
}

function memoryCell(name) {
  const own = memory.get(name)
  if (own === undefined) return ''
  const other = name === 'now' && memory.get('before')
  return other ? `${own.toFixed(0)} (${(own / other).toFixed(2)})` : own.toFixed(0)
}

console.log(
  `Node ${process.version}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}, ${reps} rounds by turns\n`,
)
console.log(`| | ${columns.map(([title]) => title).join(' | ')} | memory after ${before} runs, MB |`)
console.log(`|---|${columns.map(() => '---|').join('')}---|`)
for (const { name } of contenders)
  console.log(`| ${name} | ${columns.map(([, key]) => cell(name, key)).join(' | ')} | ${memoryCell(name)} |`)
