/**
 * A server for the kill test of plans: its first life makes a plan and takes a person's change of it, and prints so
 * once that is on disk; the next life resumes the run and prints the plans of its events.
 */
import { writeSync } from 'node:fs'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from './run-house.fixture'

const folder = process.argv[2] ?? ''
const hangs = process.argv[3] === 'hangs'

let begun: () => void = () => undefined
const isAtWork = new Promise<void>((resolve) => {
  begun = resolve
})
const house = openHouse({
  folder,
  bodies: {
    look: {
      effect: 'read',
      run: async () => {
        begun()
        if (hangs) await new Promise((resolve) => setTimeout(resolve, 120_000))
        return text('seen')
      },
    },
  },
})
if (hangs) {
  const plan = (args: Record<string, string | string[]>) => ({ calls: [{ name: 'plan', args }] })
  const turns: JsonObject[] = [
    plan({ command: 'create', title: 'Revenue', steps: ['Read', 'Sum'] }),
    { calls: [{ name: 'look' }] },
    plan({ command: 'next' }),
    { text: 'Seen.' },
  ]
  const agentId = house.agent(scriptOf(turns, { tools: [{ use: 'plan' }] }))
  const { id } = house.runs.create({ agentId, input: 'Go.' })
  await isAtWork
  const steps = ['Read', 'Sum', 'Write'].map((text) => ({ text, status: 'todo' as const }))
  await house.runs.editPlan(id, { revision: 1, plan: { title: 'Mine', steps } })
  writeSync(1, 'changed\n')
  await new Promise((resolve) => setTimeout(resolve, 120_000))
}
house.runs.recover()
const [run] = house.runs.list({}).items
if (run !== undefined) {
  await house.end(run.id)
  for (const event of house.stores.runs.events(run.id)) {
    if (event.type !== 'plan.updated') continue
    const statuses = event.plan.steps.map(({ status }) => status).join(' ')
    writeSync(1, `${event.by ?? 'model'} ${event.plan.title}: ${statuses}\n`)
  }
  const { exact, request } = await house.runs.request(run.id, 3)
  writeSync(1, `${exact} ${JSON.stringify(request).includes('A person has changed it')}\n`)
  writeSync(1, `${house.stores.runs.get(run.id)?.status}\n`)
}
await house.leave()
