import { describe, expect, it } from 'vitest'
import { smallCatalog } from '#components/canvas/catalog.fixture'
import type { Catalog } from '#lib/spec/catalog'
import type { NodeKind } from '#lib/spec/kind'
import type { FlowNode } from './flow'
import { freePlace } from './free-place'

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
  it('S4-05 stands right of the agent when the agent gives what it takes', () => {
    expect(freePlace(drawn, { kind: 'output' }, catalog)).toEqual({ x: 400 + 256 + 96, y: 0 })
  })

  it('goes under what already stands there', () => {
    const { x, y } = freePlace([...drawn, card('tool', 760, 0)], { kind: 'output' }, catalog)
    expect(x).toBe(752)
    expect(y).toBeGreaterThanOrEqual(128)
  })

  it('stands left of the agent when it goes into it', () => {
    expect(freePlace([card('agent', 400, 0)], { kind: 'model' }, catalog).x).toBeLessThan(400)
  })
})
