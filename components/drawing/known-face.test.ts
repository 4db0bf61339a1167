import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Position } from '@xyflow/react'
import { describe, expect, it } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { connect } from '#lib/graph/edit'
import { kindOf } from '#lib/graph/kinds'
import type { GraphDocument } from '#lib/spec/graph'
import { flowNodes } from './flow'
import { knownFace } from './known-face'

const policy = { id: 'steps', kind: 'policy:steps', config: {} }
const toolKind = catalog.kinds.find(({ out }) => out === 'tool')
if (toolKind === undefined) throw new Error('the catalog of the tests has a kind of tools')
const face = (isAbove: boolean) => knownFace(policy, kindOf(catalog, policy.kind), { isAbove, catalog })

describe('a card whose ports need not be measured', () => {
  it('has its out port at its right, in the middle of its height', () => {
    expect(face(false)?.measured).toEqual({ width: 176, height: 50 })
    expect(face(false)?.handles.at(-1)).toEqual({
      id: 'policy',
      type: 'source',
      position: Position.Right,
      ...{ x: 171, y: 20, width: 10, height: 10 },
    })
  })

  it('has its out port at the bottom above the agent', () => {
    expect(face(true)?.handles.at(-1)).toMatchObject({ position: Position.Bottom, x: 83, y: 45 })
  })

  it('is as wide as the style sheet draws it, in every family', () => {
    const sheet = readFileSync(path.resolve('components/canvas/node-card.module.css'), 'utf8')
    const narrow = /((?:\.card\[data-family="\w+"\],?\s*)+)\{\s*width: (\d+)px/.exec(sheet)
    const narrowFamilies = [...(narrow?.[1] ?? '').matchAll(/"(\w+)"/g)].map(([, family]) => family)
    expect(narrowFamilies).toEqual(['policy', 'mcp'])
    const usual = Number(/^\.card \{[^}]*?width: (\d+)px/m.exec(sheet)?.[1])
    const families = ['tool', 'mcp', 'model', 'output'] as const
    for (const family of families) {
      const kind = { ...toolKind, kind: `tool:${family}`, family }
      const own = { ...catalog, kinds: [...catalog.kinds, kind] }
      const width = narrowFamilies.includes(family) ? Number(narrow?.[2]) : usual
      const drawn = knownFace({ id: 'a', kind: kind.kind, config: {} }, kind, {
        isAbove: false,
        catalog: own,
      })
      expect([family, drawn?.measured.width]).toEqual([family, width])
      expect(drawn?.handles.at(-1)?.x).toBe(width - 5)
    }
  })

  it('is one object for equal cards', () => {
    expect(face(true)).toBe(face(true))
    expect(face(true)).not.toBe(face(false))
  })

  it('leaves the agent and a kind that is not in the catalog to be measured', () => {
    const agent = { id: 'agent', kind: 'agent', config: {} }
    const isAbove = false
    expect(knownFace(agent, kindOf(catalog, 'agent'), { isAbove, catalog })).toBeUndefined()
    expect(knownFace(agent, undefined, { isAbove, catalog })).toBeUndefined()
  })

  it('moves its port when a policy is wired to the agent, and back when the wire is removed', () => {
    const apart: GraphDocument = {
      version: 1,
      nodes: [{ id: 'agent', kind: 'agent', config: { name: 'a' } }, policy],
      edges: [],
      notes: [],
      parked: [],
      look: { frames: [] },
    }
    const ends = [
      { node: 'steps', port: 'policy' },
      { node: 'agent', port: 'policies' },
    ] as const
    const wired = connect(apart, ...ends, catalog).graph
    const draw = (graph: GraphDocument, before: ReturnType<typeof flowNodes> = []) =>
      flowNodes(before, { graph, catalog, places: new Map() })
    const sideOf = (nodes: ReturnType<typeof flowNodes>) => nodes[1]?.handles?.at(-1)?.position
    const first = draw(apart)
    const second = draw(wired, first)
    expect([first, second, draw(apart, second)].map(sideOf)).toEqual([
      Position.Right,
      Position.Bottom,
      Position.Right,
    ])
    expect(draw(wired, second)[1]).toBe(second[1])
  })
})
