/**
 * A server for the kill test of forks: its first life forks a finished run and
 * dies; its second one resumes it.
 */
import { writeSync } from 'node:fs'
import { openHouse, scriptOf } from './run-house.fixture'

const house = openHouse({ folder: process.argv[2] ?? '' })
const call = (expression: string) => ({ calls: [{ name: 'math.calculate', args: { expression } }] })
const tools = [{ use: 'builtin', tools: ['math.*'] }]
const config = scriptOf([call('6*7'), call('1+1'), { text: 'done' }], { tools })
const [newest] = house.stores.runs.list({}).items
if (newest === undefined) {
  const { id } = house.runs.create({ agentId: house.agent(config), input: 'How much?' })
  await house.end(id)
  await house.runs.fork(id, { step: 2, edit: { callId: 'call_2_1', args: { expression: '2+2' } } })
  process.kill(process.pid, 'SIGKILL')
} else {
  house.runs.recover()
  await house.end(newest.id)
  writeSync(1, JSON.stringify(house.stores.runs.events(newest.id)))
  await house.leave()
}
