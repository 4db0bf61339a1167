import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import { agentList, agentView, importedAgent, versionList, versionView } from '#lib/wire/agents'

const exported = '/api/agents/{id}/export'
const agent = '/api/agents/{id}'
const restore = '/api/agents/{id}/versions/{version}/restore'
const versions = '/api/agents/{id}/versions'
const imported = '/api/agents/import'
const agents = '/api/agents'
const compile = '/api/compile'
const decompile = '/api/decompile'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const calculator = readFileSync('examples/calculator.json', 'utf8')
const config = { name: 'small', instructions: 'Be brief.' }
const graph = { version: 1, nodes: [{ id: 'a', kind: 'agent', config }], edges: [] }

async function created(body: unknown) {
  const response = await ask(agents, { method: 'POST', body })
  expect(response.status).toBe(201)
  return agentView.parse(await response.json())
}

async function refused(response: Promise<Response> | Response, status: number, code: string) {
  const answer = await response
  const body = await answer.json()
  expect({ status: answer.status, code: body.error?.code }).toEqual({ status, code })
  expect(body.error.message).toMatch(/\S/)
  expect(JSON.stringify(body)).not.toMatch(/\bat .*\.ts|node_modules/)
  return body.error
}

const importing = (body: unknown, query = '') => ask(imported, { method: 'POST', body, query })
const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })

describe('agents', () => {
  test('the largest agent that can be imported can be saved and compiled too', async () => {
    const long = 'x'.repeat(262_144)
    const entry = {
      use: 'builtin',
      tools: ['math.calculate'],
      preset: { 'math.calculate': { expression: long } },
    }
    const large = { name: 'large', tools: Array.from({ length: 15 }, () => entry) }
    expect(JSON.stringify(large).length).toBeGreaterThan(3.5 * 1024 * 1024)
    const view = await (await ask(imported, { method: 'POST', body: large })).json()
    const body = { graph: view.graph, revision: 1 }
    const saved = await ask(agent, of(view.id, { method: 'PUT', body }))
    expect(saved.status).toBe(200)
    const compiled = await ask(compile, { method: 'POST', body: { graph: view.graph } })
    expect(compiled.status).toBe(200)
    const drawn = await ask(decompile, { method: 'POST', body: { config: large } })
    expect(drawn.status).toBe(200)
  })

  test('a drawing becomes an agent, exactly as the API says', async () => {
    const view = await created({ graph })
    expect(view).toMatchObject({
      name: 'small',
      revision: 1,
      config: { name: 'small' },
      origins: { agent: 'a' },
    })
    expect(await (await ask(agent, of(view.id))).json()).toEqual(view)
    const list = agentList.parse(await (await ask(agents)).json())
    expect(list.items).toMatchObject([{ id: view.id, name: 'small', runnable: true, version: null }])
  })

  test('a config becomes an agent, drawn', async () => {
    const view = await created({ config })
    expect(view.graph.nodes).toMatchObject([{ kind: 'agent', config }])
  })

  test('a drawing with errors is kept, without a config', async () => {
    const view = await created({ graph: { ...graph, nodes: [] } })
    expect(view).toMatchObject({ name: 'untitled', config: null, diagnostics: [{ severity: 'error' }] })
    const error = await refused(ask(exported, of(view.id)), 422, 'not_compiled')
    expect(error.detail.diagnostics).toMatchObject([{ severity: 'error' }])
    await refused(ask(versions, of(view.id, { method: 'POST', body: {} })), 422, 'not_compiled')
    expect((await created({ graph: { ...graph, nodes: [] } })).name).toBe('untitled-2')
  })

  test('two models are an error on the drawing, not of the request', async () => {
    const model = { kind: 'model', config: { provider: 'scripted', name: 'demo' } }
    const nodes = [...graph.nodes, { ...model, id: 'm' }, { ...model, id: 'n' }]
    const edges = ['m', 'n'].map((node) => ({
      from: { node, port: 'model' },
      to: { node: 'a', port: 'model' },
    }))
    const view = await created({ graph: { ...graph, nodes, edges } })
    expect(view.config).toBeNull()
    expect(view.diagnostics.some((each) => each.severity === 'error' && each.node !== undefined)).toBe(true)
  })

  test('a name is one agent’s alone', async () => {
    await created({ config })
    const error = await refused(ask(agents, { method: 'POST', body: { config } }), 409, 'name_taken')
    expect(error).toMatchObject({ path: 'name', detail: { free: 'small-2' } })
    const other = await created({ config: { name: 'other' } })
    await refused(
      ask(agent, of(other.id, { method: 'PUT', body: { config, revision: 1 } })),
      409,
      'name_taken',
    )
  })

  test.each<[string, unknown, string, string | undefined]>([
    ['nothing', {}, 'bad_request', undefined],
    ['an empty body', '', 'invalid_json', undefined],
    ['both', { graph, config }, 'bad_request', undefined],
    ['T19 a stranger among the keys', { graph, id: 'mine' }, 'bad_request', 'id'],
    ['a graph that is none', { graph: { nodes: 1 } }, 'invalid_graph', 'graph/version'],
    [
      'a node without a kind',
      { graph: { ...graph, nodes: [{ id: 'a', config: {} }] } },
      'invalid_graph',
      'graph/nodes/0/kind',
    ],
    ['an unknown key of a graph', { graph: { ...graph, extra: 1 } }, 'invalid_graph', 'graph/extra'],
    ['an unknown key of a config', { config: { ...config, temperatur: 1 } }, 'invalid_config', 'temperatur'],
    ['a wrong type in a config', { config: { name: 7 } }, 'invalid_config', 'name'],
    [
      'an unknown part',
      { config: { name: 'x', tools: [{ use: 'nothing' }] } },
      'invalid_config',
      'tools/0/use',
    ],
    ['a list', [], 'bad_request', undefined],
    ['a body that is cut', '{"graph": {', 'invalid_json', undefined],
    [
      'T39 a key that reaches prototypes',
      '{"config": {"name": "x", "__proto__": {"x": 1}}}',
      'invalid_json',
      undefined,
    ],
    ['T41 100,000 levels', `{"graph": ${'['.repeat(100_000)}`, 'invalid_json', undefined],
  ])('%s is refused, and says where', async (_, body, code, path) => {
    const error = await refused(ask(agents, { method: 'POST', body }), 400, code)
    if (path !== undefined) expect(error.path).toBe(path)
    expect(agentList.parse(await (await ask(agents)).json()).items).toEqual([])
  })

  test('saving takes the revision that was seen; a stale one is told the standing agent', async () => {
    const view = await created({ graph })
    const renamed = { ...graph, nodes: [{ id: 'a', kind: 'agent', config: { ...config, name: 'renamed' } }] }
    const saved = agentView.parse(
      await (await ask(agent, of(view.id, { method: 'PUT', body: { graph: renamed, revision: 1 } }))).json(),
    )
    expect(saved).toMatchObject({ revision: 2, name: 'renamed' })
    const error = await refused(
      ask(agent, of(view.id, { method: 'PUT', body: { graph, revision: 1 } })),
      409,
      'stale_revision',
    )
    expect(error.detail.current).toEqual(saved)
    await refused(ask(agent, of(view.id, { method: 'PUT', body: { graph } })), 400, 'bad_request')
  })

  test('a drawing that loses its name keeps the agent’s', async () => {
    const { id } = await created({ graph })
    const nameless = { ...graph, nodes: [{ id: 'a', kind: 'agent', config: { name: 'Not A Name' } }] }
    const saved = await (
      await ask(agent, of(id, { method: 'PUT', body: { graph: nameless, revision: 1 } }))
    ).json()
    expect(saved).toMatchObject({ name: 'small', config: null })
  })

  test('a deleted agent is gone, everywhere in the same words', async () => {
    const { id } = await created({ graph })
    expect((await ask(agent, of(id, { method: 'DELETE' }))).status).toBe(204)
    for (const more of [{}, { method: 'DELETE' }, { method: 'PUT', body: { graph, revision: 1 } }]) {
      await refused(ask(agent, of(id, more)), 404, 'not_found')
    }
    await refused(ask(exported, of(id)), 404, 'not_found')
    await refused(ask(versions, of(id)), 404, 'not_found')
  })

  test('the method that is not there is told with those that are', async () => {
    const response = await ask(agents, { method: 'DELETE' })
    expect(response.headers.get('allow')).toBe('GET, POST')
    await refused(response, 405, 'method_not_allowed')
  })
})

describe('files', () => {
  test('export, import into an empty server, export: the same bytes', async () => {
    const { id } = importedAgent.parse(await (await importing(calculator)).json())
    const first = await ask(exported, of(id))
    expect(first.headers.get('content-disposition')).toBe('attachment; filename="calculator.json"')
    const text = await first.text()
    await house.end()
    house = openHouse()
    const again = importedAgent.parse(await (await importing(text)).json())
    expect(await (await ask(exported, of(again.id))).text()).toBe(text)
    expect(JSON.parse(text)).toEqual(JSON.parse(calculator))
  })

  test('a name that is taken is told, or the next free one is found', async () => {
    expect((await importing(calculator)).status).toBe(201)
    await refused(importing(calculator), 409, 'name_taken')
    await refused(importing(calculator, '?rename=0'), 409, 'name_taken')
    for (const name of ['calculator-2', 'calculator-3']) {
      expect(await (await importing(calculator, '?rename=1')).json()).toMatchObject({
        name,
        config: { name },
      })
    }
    await refused(importing(calculator, '?rename=yes'), 400, 'bad_request')
    await refused(importing(calculator, '?replace=1'), 400, 'bad_request')
  })

  test('moving a node changes no hash', async () => {
    const view = await created({ graph })
    const hash = async () => agentList.parse(await (await ask(agents)).json()).items[0]?.configHash
    const before = await hash()
    const moved = { ...graph, nodes: [{ ...graph.nodes[0], at: { x: 40, y: 80 } }] }
    await ask(agent, of(view.id, { method: 'PUT', body: { graph: moved, revision: 1 } }))
    expect(await hash()).toBe(before)
  })

  test.each([
    ['an empty file', ''],
    ['a text', '"hello"'],
    ['a list', '[]'],
    ['a picture', '\x89PNG\r\n'],
    ['another program’s file', '{"nodes": [], "connections": {}}'],
  ])('%s is no agent', async (_, body) => {
    const response = await importing(body)
    expect(response.status).toBe(400)
    expect((await response.json()).error.code).toMatch(/^invalid_(json|config)$/)
  })

  test('a byte order mark does no harm', async () => {
    expect((await importing(`\uFEFF${calculator}`)).status).toBe(201)
  })
})

describe('versions', () => {
  test('what is published never changes, and comes back as the draft', async () => {
    const { id } = await created({ graph })
    const published = await ask(versions, of(id, { method: 'POST', body: { revision: 1 } }))
    expect(published.status).toBe(201)
    const first = versionView.parse(await published.json())
    expect(first).toMatchObject({ version: 1, config: { instructions: 'Be brief.' } })
    const changed = {
      ...graph,
      nodes: [{ id: 'a', kind: 'agent', config: { ...config, instructions: 'Be long.' } }],
    }
    await ask(agent, of(id, { method: 'PUT', body: { graph: changed, revision: 1 } }))
    await refused(ask(versions, of(id, { method: 'POST', body: { revision: 1 } })), 409, 'stale_revision')
    expect((await ask(versions, of(id, { method: 'POST', body: {} }))).status).toBe(201)
    const list = versionList.parse(await (await ask(versions, of(id))).json())
    expect(list.items.map((each) => each.version)).toEqual([2, 1])
    expect(list.items[1]).toEqual(first)

    const back = await ask(restore, { method: 'POST', body: {}, params: { id, version: '1' } })
    expect(agentView.parse(await back.json())).toMatchObject({
      revision: 3,
      config: { instructions: 'Be brief.' },
    })
    for (const version of ['3', '0', 'x', '1.5', '-1']) {
      await refused(ask(restore, { method: 'POST', body: {}, params: { id, version } }), 404, 'not_found')
    }
  })
})
