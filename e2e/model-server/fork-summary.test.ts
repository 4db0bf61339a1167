/** A fork that changes the summary of a long run, through the API and over a wire. */
import { afterEach, expect, it } from 'vitest'
import { ask, eventsIn, type House, openHouse } from '#lib/server/house.fixture'
import type { Behaviour } from './behaviour'
import { conversationOf } from './conversation'
import { type ModelServer, startModelServer } from './model-server'
import type { Asked } from './responder'

const open: { house: House; server: ModelServer }[] = []
afterEach(async () => {
  for (const { house, server } of open.splice(0)) {
    await house.end()
    await server.close()
  }
})

const steps = 12

/** Reads a page in each step; the summaries say one number, and the answer repeats what the summary says. */
function reader(): (asked: Asked) => Behaviour {
  return ({ wire, body }) => {
    const { instructions, messages } = conversationOf(wire, body)
    if (instructions.includes('You shorten the record')) return { say: { text: 'The number is 7.' } }
    const calls = messages.flatMap((each) => (each.role === 'tool' ? [each.callId] : []))
    const number = messages.flatMap((each) =>
      each.role === 'user' ? (/The number is (\d+)/.exec(each.text)?.[1] ?? []) : [],
    )
    const isDone = number.length > 0 && calls.length >= 3
    return isDone
      ? { say: { text: `It is ${number[0]}.` } }
      : { say: { calls: [{ name: 'javascript_run', args: { code: 'return "a page, ".repeat(220)' } }] } }
  }
}

async function opened() {
  const server = await startModelServer({ contextWindow: 4_000, behaviour: reader(), service: 'openai' })
  const providers = { anthropic: { baseUrl: server.anthropicUrl, key: 'sk-test-1234567890' } }
  const house = openHouse({ outbound: { providers, allowHosts: [] } })
  open.push({ house, server })
  return house
}

async function ended(house: House, id: string) {
  for await (const frame of house.app.runs.watch(id, 0, new AbortController().signal)) void frame
  return house.app.runs.get(id)
}

it('changes the answer, and asks the model for nothing before that', async () => {
  const house = await opened()
  const { id: agentId } = house.app.agents.create({
    config: {
      name: 'reader',
      model: { provider: 'anthropic', name: 'model-large', contextWindow: 4_000 },
      tools: [{ use: 'builtin', tools: ['javascript.run'], risk: 'read' }],
      policies: [
        { use: 'steps', max: steps },
        { use: 'context', how: 'summarize', keep: 3 },
      ],
    },
  })
  const { id } = house.app.runs.create({ agentId, input: 'Which number?' })
  expect((await ended(house, id)).answer).toBe('It is 7.')
  const cut = eventsIn(house.app.runs, id).find(({ type }) => type === 'context.compacted')
  const fork = (body: object) => ask('/api/runs/{id}/fork', { method: 'POST', params: { id }, body })
  const response = await fork({ step: cut?.step, summary: 'The number is 8.' })
  expect(response.status).toBe(201)
  const made: { id: string } = await response.json()
  const view = await ended(house, made.id)
  expect(view).toMatchObject({ answer: 'It is 8.', forkedFrom: { runId: id, edit: 'summary' } })
  for (const { step, type } of eventsIn(house.app.runs, made.id))
    if (type === 'model.requested') expect((await house.app.runs.request(made.id, step)).exact).toBe(true)
  const both = { step: cut?.step, summary: 'x', edit: { prompt: 'x' } }
  expect((await fork(both)).status).toBe(422)
  expect((await fork({ step: 1, summary: 'x' })).status).toBe(422)
  expect((await fork({ step: cut?.step, summary: ' ' })).status).toBe(400)
}, 60_000)
