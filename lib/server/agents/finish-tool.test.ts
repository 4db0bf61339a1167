import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { offline } from '../environment/surroundings.fixture'
import { type House, openHouse, scriptOf } from '../runs/run-house.fixture'
import { toView } from '../runs/run-view'
import { assemble } from './assemble'

const houses: House[] = []
afterEach(async () => {
  for (const each of houses.splice(0)) await each.leave()
})

async function runOf(more: JsonObject, turns: JsonObject[]) {
  const house = openHouse({ assemble: (text) => assemble(text, offline) })
  houses.push(house)
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns, more)), input: 'How much?' })
  await house.end(id)
  expect(house.faults).toEqual([])
  const row = house.stores.runs.get(id)
  if (row === undefined) throw new Error('the run is not stored')
  return {
    view: toView(row, { artifacts: [], steered: [], fallen: undefined }),
    events: house.stores.runs.events(id),
  }
}

const finishing = { use: 'finish', when: 'finish_tool' }
const schema = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

describe('the tool that ends a run', () => {
  it('is offered by the policy that calls for it, with that policy as its entry, under every format', async () => {
    for (const format of ['native', 'xml', 'json', 'json_fence']) {
      const { view, events } = await runOf({ policies: [finishing], protocol: { format } }, [
        { text: 'Let me see.' },
        { calls: [{ name: 'finish', args: { answer: '42' } }] },
      ])
      expect(view).toMatchObject({ status: 'completed', answer: '42', output: null, steps: 2 })
      const [started] = events.flatMap((each) => (each.type === 'run.started' ? [each] : []))
      expect(started?.tools.offered).toEqual([{ name: 'finish', node: 'policies/0', ends: true }])
    }
  })

  it('S4-03 is also generate_response with its response, as other frameworks call it, under every format', async () => {
    for (const format of ['native', 'xml', 'json', 'json_fence']) {
      const { view, events } = await runOf({ policies: [finishing], protocol: { format } }, [
        { calls: [{ name: 'generate_response', args: { response: '42' } }] },
      ])
      expect(view).toMatchObject({ status: 'completed', answer: '42', steps: 1 })
      expect(events.find((each) => each.type === 'call.started')).toMatchObject({
        name: 'finish',
        args: { answer: '42' },
      })
    }
  })

  it('is not offered where words end a run, unless an entry has it', async () => {
    const { events } = await runOf({}, [{ text: '42' }])
    expect(events.find((each) => each.type === 'run.started')).toMatchObject({ tools: { offered: [] } })
    const tools = [{ use: 'builtin', tools: ['finish'] }]
    const { view } = await runOf({ tools }, [{ calls: [{ name: 'finish', args: { answer: '42' } }] }])
    expect(view).toMatchObject({ status: 'completed', answer: '42', steps: 1 })
  })

  it('takes the schema of the output as its arguments, and what it is given stands in the run', async () => {
    for (const format of ['native', 'xml', 'json', 'json_fence']) {
      const { view, events } = await runOf({ output: { schema }, protocol: { format } }, [
        { calls: [{ name: 'finish', args: { total: 'no number' } }] },
        { calls: [{ name: 'finish', args: { total: 3 } }] },
      ])
      expect(view).toMatchObject({ status: 'completed', output: { total: 3 }, steps: 2 })
      const [refused] = events.flatMap((each) => (each.type === 'call.finished' ? [each] : []))
      expect(refused).toMatchObject({ status: 'error', node: 'output' })
    }
  })

  it('takes a schema of no object under one key, with what it refers to', async () => {
    const list = {
      type: 'array',
      items: { $ref: '#/$defs/row' },
      $defs: { row: { type: 'object', required: ['id'] } },
    }
    const { view } = await runOf({ output: { schema: list } }, [
      { calls: [{ name: 'finish', args: { output: [{ name: 'a' }] } }] },
      { calls: [{ name: 'finish', args: { output: [{ id: 1 }] } }] },
    ])
    expect(view).toMatchObject({ status: 'completed', output: [{ id: 1 }], steps: 2 })
  })

  it('tells the demo too, which answers by it', async () => {
    const house = openHouse({ assemble: (text) => assemble(text, offline) })
    houses.push(house)
    const config = {
      name: 'demo',
      output: { schema },
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    }
    const { id } = house.runs.create({ agentId: house.agent(config), input: 'What is 6 * 7?' })
    await house.end(id)
    expect(JSON.parse(house.stores.runs.get(id)?.output ?? 'null')).toEqual({ total: 6 })
  })
})
