import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { smallCatalog } from '#components/canvas/catalog.fixture'
import { catalog as parts } from '#lib/graph/catalog.fixture'
import type { Catalog } from '#lib/spec/catalog'
import { emptyGraph } from '#lib/spec/graph'
import type { NodeKind } from '#lib/spec/kind'
import { boxOf } from './boxes'
import type { FlowNode } from './flow'
import { freePlace } from './free-place'
import { createGraphStore } from './graph-store'
import { addPart } from './part'

const outputKind: NodeKind = {
  kind: 'output',
  label: 'Output',
  help: '',
  icon: 'braces',
  family: 'output',
  place: { at: 'object', key: 'output' },
  in: [{ name: 'output', accepts: 'output', many: false }],
  schema: {},
  initial: {},
}
const catalog: Catalog = {
  ...smallCatalog,
  kinds: [
    ...smallCatalog.kinds.map((each) => (each.kind === 'agent' ? { ...each, out: 'output' as const } : each)),
    outputKind,
  ],
}

const card = (kind: string, x: number, y: number, width = 200): FlowNode => ({
  id: kind,
  type: 'card',
  position: { x, y },
  measured: { width, height: 120 },
  data: { node: { id: kind, kind, config: {} } },
})
const drawn = [card('model', 0, 0), card('agent', 400, 0, 256)]

describe('a part that no one dropped anywhere', () => {
  it('stands right of the agent when the agent gives what it takes', () => {
    expect(freePlace(drawn, { kind: 'output' }, catalog)).toEqual({ x: 400 + 256 + 96, y: 0 })
  })

  it('goes under what already stands there', () => {
    const { x, y } = freePlace([...drawn, card('tool', 760, 0)], { kind: 'output' }, catalog)
    expect(x).toBe(752)
    expect(y).toBeGreaterThanOrEqual(128)
  })

  it('a first policy stands straight above the agent, the next ones at its sides, then in a second row', () => {
    const agent = card('agent', 400, 0, 256)
    const found: FlowNode[] = [agent]
    for (let count = 0; count < 4; count++) {
      const at = freePlace(found, { kind: 'policy:steps' }, parts)
      found.push({
        ...card('policy:steps', at.x, at.y, 176),
        id: `p${count}`,
        measured: { width: 176, height: 50 },
      })
    }
    const [first, second, third, fourth] = found.slice(1).map((each) => each.position)
    expect((first?.x ?? 0) + 88).toBe(400 + 128)
    expect(new Set([first?.y, second?.y, third?.y]).size).toBe(1)
    expect(fourth?.x).toBe(first?.x)
    expect(fourth?.y).toBeLessThan((first?.y ?? 0) - 50)
  })

  it('however many parts are added, none overlaps another and none of those drawn is moved', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('tool:builtin', 'policy:steps', 'model'), { maxLength: 40 }),
        (kinds) => {
          const store = createGraphStore({
            graph: { ...emptyGraph, nodes: [{ id: 'a', kind: 'agent', config: { name: 'a' } }] },
            catalog: parts,
          })
          for (const kind of kinds) {
            const before = new Map(store.getState().nodes.map((each) => [each.id, each.position]))
            addPart({ store, part: { kind } })
            for (const { id, position } of store.getState().nodes)
              expect(position).toEqual(before.get(id) ?? position)
          }
          const boxes = store.getState().nodes.map(boxOf)
          for (const [n, a] of boxes.entries())
            for (const b of boxes.slice(n + 1)) {
              const isApart =
                a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y
              expect(isApart).toBe(true)
            }
        },
      ),
      { numRuns: 30 },
    )
  })

  it('stands left of the agent when it goes into it', () => {
    expect(freePlace([card('agent', 400, 0)], { kind: 'model' }, catalog).x).toBeLessThan(400)
  })
})
