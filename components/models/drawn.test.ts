import { describe, expect, it } from 'vitest'
import { smallCatalog } from '#components/canvas/catalog.fixture'
import { catalog as parts } from '#lib/graph/catalog.fixture'
import { addNode, setParked } from '#lib/graph/edit'
import { emptyGraph } from '#lib/spec/graph'
import { drawnFormat, drawnModel, modelNodeOf, withFormat, withModel } from './drawn'

const catalog = smallCatalog
const agent = addNode(emptyGraph, { kind: 'agent', config: { name: 'a' } }, catalog).graph
const drawn = addNode(agent, { kind: 'model', wire: true }, catalog).graph
const mini = { provider: 'openai', name: 'gpt-5-mini' }

describe('the model of a drawing', () => {
  it('is the demo where none is wired, or where the one wired is switched off', () => {
    expect(drawnModel(agent, catalog)).toEqual({ provider: 'scripted', name: 'demo' })
    const id = modelNodeOf(drawn, catalog)?.id ?? ''
    const off = setParked(withModel(drawn, mini, catalog).graph, [id], true, catalog).graph
    expect(drawnModel(off, catalog)).toEqual({ provider: 'scripted', name: 'demo' })
    expect(drawnModel(withModel(off, mini, catalog).graph, catalog)).toEqual(mini)
  })

  it('is changed in the node that is there, and made and wired where there is none', () => {
    const changed = withModel(drawn, mini, catalog).graph
    expect(changed.nodes).toHaveLength(2)
    expect(drawnModel(changed, catalog)).toEqual(mini)
    const made = withModel(agent, mini, catalog).graph
    expect(made.edges).toHaveLength(1)
    expect(drawnModel(made, catalog)).toEqual(mini)
  })

  it('that is chosen already changes nothing', () => {
    const once = withModel(drawn, mini, catalog).graph
    expect(withModel(once, mini, catalog).graph).toBe(once)
  })
})

describe('S2-19 the format of a drawing', () => {
  const agent = addNode(emptyGraph, { kind: 'agent', config: { name: 'a' } }, parts).graph
  it('is native where none is wired, and is changed in the node there is, or in one that is made', () => {
    expect(drawnFormat(agent, parts)).toBe('native')
    const xml = withFormat(agent, { format: 'xml' }, parts).graph
    expect([xml.nodes.length, xml.edges.length, drawnFormat(xml, parts)]).toEqual([2, 1, 'xml'])
    const id = xml.nodes[1]?.id ?? ''
    const off = setParked(xml, [id], true, parts).graph
    expect(drawnFormat(off, parts)).toBe('native')
    const json = withFormat(off, { format: 'json' }, parts).graph
    expect([json.nodes.length, drawnFormat(json, parts)]).toEqual([2, 'json'])
  })

  it('keeps the language of its words, and nothing that another format would not take', () => {
    const config = { format: 'xml', resultPlacement: 'inline', locale: 'zh' }
    const drawn = addNode(agent, { kind: 'protocol', config, wire: true }, parts).graph
    expect(withFormat(drawn, { format: 'json' }, parts).graph.nodes[1]?.config).toEqual({
      format: 'json',
      locale: 'zh',
    })
    expect(withFormat(drawn, { format: 'native' }, parts).graph.nodes[1]?.config).toEqual({})
  })
})
