import { expect, it } from 'vitest'
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Plan } from '#lib/spec/plan'
import { text } from '#lib/spec/tool'
import { engine, type House, openHouse, scriptOf } from './run-house.fixture'

const planTools: JsonObject[] = [{ use: 'plan' }]
const verb = (command: string, more: JsonObject = {}) => ({ name: 'plan', args: { command, ...more } })
const made = verb('create', { title: 'Revenue', steps: ['Read', 'Sum'] })
const done = { text: 'It is 4.' }

function all<T extends RunEvent['type']>(house: House, id: string, type: T): EventOf<T>[] {
  return house.stores.runs.events(id).filter((each): each is EventOf<T> => each.type === type)
}

const plansOf = (house: House, id: string) =>
  all(house, id, 'plan.updated').map(({ plan }) => plan.steps.map(({ status }) => status).join(' '))

async function ask(house: House, agentId: string, more: { threadId?: string } = {}) {
  const row = house.runs.create({ agentId, input: 'Go.', ...more })
  await house.end(row.id)
  return row
}

it('X-12 S1-09 S0-33 records each change of the plan as an event, with the plan in the next request alone', async () => {
  const house = openHouse()
  const turns = [{ calls: [made] }, { calls: [verb('next')] }, { calls: [verb('finish')] }, done]
  const { id } = await ask(house, house.agent(scriptOf(turns, { tools: planTools })))
  expect(plansOf(house, id)).toEqual(['todo todo', 'in_progress todo', 'done done'])
  const calls = all(house, id, 'call.finished').map(({ callId }) => callId)
  expect(all(house, id, 'plan.updated').map(({ callId }) => callId)).toEqual(calls)
  const hints = []
  for (const step of [1, 2, 3, 4]) {
    const { exact, request } = await house.runs.request(id, step)
    expect(exact).toBe(true)
    hints.push(
      JSON.stringify(request).match(/This is your plan.*?(Begin with step 0|Step 0 is in progress)/g) ?? [],
    )
  }
  expect(hints).toEqual([
    [],
    [expect.stringContaining('Begin with step 0')],
    [expect.stringContaining('Step 0 is in progress')],
    [],
  ])
  expect(JSON.stringify(house.runs.messages(id))).not.toContain('This is your plan')
  await house.leave()
})

it('X-12 loses no change when several calls of one step change the plan at once', async () => {
  const house = openHouse()
  const mark = (step_index: number) => verb('mark_step', { step_index, step_status: 'completed' })
  const steps = Array.from({ length: 8 }, (_, at) => `Step ${at}`)
  const turns = [
    { calls: [verb('create', { title: 'All', steps })] },
    { calls: steps.map((_, at) => mark(at)) },
    done,
  ]
  const policies = [{ use: 'execution', strategy: 'parallel', concurrency: 8 }]
  const { id } = await ask(house, house.agent(scriptOf(turns, { tools: planTools, policies })))
  expect(plansOf(house, id).at(-1)).toBe(steps.map(() => 'done').join(' '))
  await house.leave()
})

const edited: Plan = {
  title: 'Mine',
  steps: [
    { text: 'Read', status: 'done' },
    { text: 'Ask', status: 'todo' },
  ],
}

/** A run that hangs in a call after it has made a plan, until `go` is called. */
async function openHanging() {
  let go = () => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  let begun = () => {}
  const isAtWork = new Promise<void>((resolve) => {
    begun = resolve
  })
  const house = openHouse({
    bodies: {
      look: {
        effect: 'read',
        run: async () => {
          begun()
          await gate
          return text('seen')
        },
      },
    },
  })
  const turns = [{ calls: [made] }, { calls: [{ name: 'look' }] }, { calls: [verb('next')] }, done]
  const { id } = house.runs.create({
    agentId: house.agent(scriptOf(turns, { tools: planTools })),
    input: 'Go.',
  })
  await isAtWork
  return { house, id, go: () => go() }
}

it('X-12 a person changes the plan while the run goes on, and the model reads so at its next step', async () => {
  const { house, id, go } = await openHanging()
  const held = await house.runs.editPlan(id, { revision: 1, plan: edited })
  expect(held).toMatchObject({ title: 'Mine', revision: 2, by: 'person', id: 'plan_1' })
  const stale = house.runs.editPlan(id, { revision: 1, plan: edited })
  await expect(stale).rejects.toMatchObject({
    code: 'stale_revision',
    detail: { current: { revision: 2, title: 'Mine' } },
  })
  go()
  await house.end(id)
  expect(all(house, id, 'plan.updated').map(({ by = 'model', plan }) => `${by} ${plan.title}`)).toEqual([
    'model Revenue',
    'person Mine',
    'model Mine',
  ])
  expect(plansOf(house, id).at(-1)).toBe('done in_progress')
  const { request, exact } = await house.runs.request(id, 3)
  expect(exact).toBe(true)
  expect(JSON.stringify(request)).toMatch(/A person has changed it.*1\. \[not_started\] Ask/)
  expect(JSON.stringify((await house.runs.request(id, 4)).request)).not.toContain('A person has changed it')
  await expect(house.runs.editPlan(id, { revision: 3, plan: edited })).rejects.toMatchObject({
    code: 'conflict',
  })
  await house.leave()
})

it('X-12 a run without a plan has none to change, and one that waits for a person takes the change', async () => {
  const house = openHouse()
  const policies = [{ use: 'approval', appliesTo: ['time.now'] }]
  const tools = [...planTools, { use: 'builtin', tools: ['time.now'] }]
  const asking = async (name: string, turns: JsonObject[]) => {
    const { id } = house.runs.create({
      agentId: house.agent(scriptOf(turns, { tools, policies }), name),
      input: 'Go.',
    })
    await expect.poll(() => house.stores.runs.get(id)?.status).toBe('waiting')
    return id
  }
  const ask = { calls: [{ name: 'time.now' }] }
  const bare = await asking('bare', [ask, done])
  await expect(house.runs.editPlan(bare, { revision: 1, plan: edited })).rejects.toMatchObject({
    code: 'conflict',
  })
  const id = await asking('planner', [{ calls: [made] }, ask, done])
  expect(await house.runs.editPlan(id, { revision: 1, plan: edited })).toMatchObject({ revision: 2 })
  const { callId } = house.stores.runs.get(id)?.pending[0] ?? { callId: '' }
  await house.runs.decide(id, callId, { decision: 'approve' })
  await house.end(id)
  expect(house.stores.runs.get(id)?.status).toBe('completed')
  expect(JSON.stringify((await house.runs.request(id, 3)).request)).toContain('A person has changed it')
  await house.leave()
})

it('X-12 S4-11 the next run of a thread takes over an unfinished plan, and a fork has the plan of its step', async () => {
  const house = openHouse()
  const turns = [{ calls: [made] }, { calls: [verb('next')] }, done]
  const agent = house.agent(scriptOf(turns, { tools: planTools }))
  const first = await ask(house, agent)
  const second = await ask(house, agent, { threadId: first.threadId })
  const begun = all(house, second.id, 'run.queued')[0]
  expect(begun?.plan).toMatchObject({
    title: 'Revenue',
    steps: [{ status: 'in_progress' }, { status: 'todo' }],
  })
  const refused = all(house, second.id, 'call.finished')[0]
  expect(refused).toMatchObject({
    status: 'error',
    result: { text: expect.stringContaining('There is a plan already') },
  })
  expect((await house.runs.request(second.id, 1)).exact).toBe(true)

  const fork = await house.runs.fork(first.id, { step: 2 })
  await house.end(fork.id)
  const state = house.stores.runs
    .events(fork.id)
    .reduce(
      engine.fold,
      engine.start({ agent: fork.agent, input: 'Go.', threadId: null, historyThrough: null, history: [] }),
    )
  expect(state.plan).toMatchObject({ title: 'Revenue', revision: 2, steps: [{ status: 'in_progress' }, {}] })
  await house.leave()
})

it('X-12 a plan holds no secret', async () => {
  const secret = 'tok-9f8e7d6c5b4a'
  const house = openHouse()
  const turns = [{ calls: [verb('create', { title: `Use ${secret}`, steps: ['Read'] })] }, done]
  const { assemble } = await import('../agents/assemble')
  const { offline } = await import('../environment/surroundings.fixture')
  const hiding = house.reopen({
    assemble: (config) =>
      assemble(config, { ...offline, redact: (said) => said.replaceAll(secret, '[secret]') }),
  })
  const { id } = await ask(hiding, hiding.agent(scriptOf(turns, { tools: planTools })))
  expect(all(hiding, id, 'plan.updated')[0]?.plan.title).toBe('Use [secret]')
  await hiding.leave()
  await house.leave()
})
