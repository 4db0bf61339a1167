import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { dryRun } from '#lib/wire/dry-run'

const route = '/api/agents/{id}/dry-run'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const config: JsonObject = {
  name: 'guarded',
  tools: [
    { use: 'builtin', tools: ['math.calculate', 'files.create', 'javascript.run'] },
    { use: 'builtin', tools: ['time.now'], preset: { 'time.now': { timezone: 'UTC' } } },
  ],
  policies: [
    { use: 'skills', deny: ['javascript.*'] },
    { use: 'approval', appliesTo: ['files.create'] },
  ],
}
const draw = (given: JsonObject = config) => house.app.agents.create({ config: given })
const put = (id: string, body: unknown) => ask(route, { method: 'POST', body, params: { id } })
const told = async (id: string, body: unknown) => {
  const response = await put(id, body)
  expect(response.status).toBe(200)
  return dryRun.parse(await response.json())
}

describe('A dry run of a call', () => {
  test('is ruled on as the saved draft stands, under the wire name as well', async () => {
    const { id } = draw()
    for (const tool of ['math.calculate', 'math_calculate'])
      expect(await told(id, { tool, args: { expression: '1+1' } })).toMatchObject({
        tool: 'math.calculate',
        outcome: { type: 'runs', args: { expression: '1+1' } },
      })
    const create = await told(id, { tool: 'files.create', args: '{"path":"a","content":"b"}' })
    expect(create.outcome.type).toBe('asks')
    expect(create.asked).toContainEqual(
      expect.objectContaining({
        stage: 'approval',
        policy: 'approval',
        node: 'policies/1',
        verdict: 'confirm',
      }),
    )
  })

  test('tells an unknown tool, a withheld one, arguments that do not fit, and preset ones', async () => {
    const { id } = draw()
    expect((await told(id, { tool: 'moon.land' })).outcome).toMatchObject({ code: 'unknown_tool' })
    expect((await told(id, { tool: 'javascript.run', args: { code: '1' } })).asked).toContainEqual(
      expect.objectContaining({ stage: 'offered', policy: 'skills', node: 'policies/0', verdict: 'deny' }),
    )
    expect((await told(id, { tool: 'math.calculate', args: {} })).outcome).toMatchObject({
      code: 'args_schema',
    })
    expect((await told(id, { tool: 'math.calculate', args: '{"' })).outcome).toMatchObject({
      code: 'args_json',
    })
    expect((await told(id, { tool: 'time.now', args: { timezone: 'Asia/Tokyo' } })).asked).toContainEqual(
      expect.objectContaining({ stage: 'preset', reason: expect.stringContaining('timezone') }),
    )
  })

  test('can be asked of a drawing that is not saved, and keeps nothing of it', async () => {
    const { id, revision } = draw()
    const { graph } = house.app.decompile({ ...config, policies: [{ use: 'skills', deny: ['math.*'] }] })
    expect((await told(id, { tool: 'math.calculate', args: { expression: '1' }, graph })).outcome.type).toBe(
      'refused',
    )
    expect(house.app.agents.get(id).revision).toBe(revision)
    expect(house.app.runs.list({})).toEqual({ items: [], total: 0 })
  })

  test('counts what a run of the agent did before, and no run of another', async () => {
    const script: JsonObject = {
      turns: [{ calls: [{ name: 'math.calculate', args: { expression: '1+' } }] }, { text: 'Done.' }],
    }
    const limited: JsonObject = {
      name: 'limited',
      model: { provider: 'scripted', name: 'script', ...script },
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
      policies: [{ use: 'repeat', limit: 1 }],
    }
    const { id } = draw(limited)
    const { id: runId } = house.app.runs.create({ agentId: id, input: 'Hello' })
    for await (const _ of house.app.runs.watch(runId, 0, new AbortController().signal));
    const call = { tool: 'math.calculate', args: { expression: '1+' } }
    expect((await told(id, call)).outcome.type).toBe('runs')
    expect((await told(id, { ...call, runId })).outcome).toMatchObject({ type: 'refused', status: 'denied' })
    const other = draw({ ...limited, name: 'other' })
    expect((await put(other.id, { ...call, runId })).status).toBe(404)
  })

  test('is refused for no agent, a drawing with errors, and a body that says more', async () => {
    const { id } = draw()
    expect((await put('nobody', { tool: 'x' })).status).toBe(404)
    expect((await put(id, { tool: 'x', more: 1 })).status).toBe(400)
    expect((await put(id, { args: {} })).status).toBe(400)
    const empty = { version: 1, nodes: [], edges: [] }
    const refused = await put(id, { tool: 'x', graph: empty })
    expect(refused.status).toBe(422)
    const { error } = await refused.json()
    expect(error.detail.diagnostics).toMatchObject([{ severity: 'error' }])
  })
})

describe('A dry run of a call of another agent (S1-24)', () => {
  const lead = (version: string): JsonObject => ({
    name: 'lead',
    tools: [{ use: 'agent', agent: 'helper', version }],
    policies: [{ use: 'approval', appliesTo: ['helper'] }],
  })
  const asked = { tool: 'helper', args: { task: 'Count the words.', files: ['a.md'] } }

  test('shows what that agent would send to its model first', async () => {
    draw({
      name: 'helper',
      instructions: 'You count words.',
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    })
    const { id } = draw(lead('draft'))
    const { outcome, inside } = await told(id, asked)
    expect([outcome.type, inside?.agent, inside?.version]).toEqual(['asks', 'helper', 'draft'])
    const request = JSON.stringify(inside?.request)
    for (const part of ['You count words.', 'Count the words.', '- a.md', 'math_calculate'])
      expect(request).toContain(part)
    expect(house.app.runs.list({}).items).toEqual([])
  })

  test('shows the tools that it has now, and no known secret', async () => {
    const body = { value: 'planted-secret-value', origins: ['https://api.example.com'] }
    await ask('/api/secrets/{name}', { method: 'PUT', params: { name: 'DRY_KEY' }, body })
    draw({ name: 'deeper', description: 'Counts letters only.' })
    draw({
      name: 'helper',
      model: { provider: 'openai', name: 'gpt-5.4-mini' },
      tools: [
        { use: 'agent', agent: 'deeper', version: 'draft' },
        { use: 'agent', agent: 'gone', version: 'draft' },
      ],
    })
    const { id } = draw(lead('draft'))
    const args = { task: 'Use planted-secret-value.' }
    const request = JSON.stringify((await told(id, { ...asked, args })).inside?.request)
    expect(request).toContain('Counts letters only.')
    expect(request).toContain('Use [secret].')
    expect(request).not.toMatch(/planted|gone/)
  })

  test('says why that agent cannot be called, and nothing of it for a call that would be refused', async () => {
    draw({ name: 'helper' })
    const { id } = draw(lead('published'))
    expect((await told(id, asked)).inside).toEqual({
      agent: 'helper',
      problem: 'helper has no published version. Publish it, or use its draft.',
    })
    expect((await told(id, { tool: 'helper', args: {} })).inside).toBeUndefined()
  })
})
