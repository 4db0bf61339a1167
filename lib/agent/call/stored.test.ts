import { expect, test } from 'vitest'
import type { Effect } from '#lib/spec/tool'
import { calls, collect, createRig, createTool, text } from '../rig.fixture'

test('calls that only read do not wait for the disk, except the first of a run, and all others do', async () => {
  const order: string[] = []
  const make = (name: string, effect: Effect) =>
    createTool(name, {
      effect,
      run: () => {
        order.push(name)
        return { ok: true, blocks: [] }
      },
    })
  const tools = [make('look', 'read'), make('put', 'idempotent'), make('send', 'effect')]
  const play = [calls('look'), calls('look'), calls('put'), calls('look'), calls('send'), text('ok')]
  const committed = async () => void order.push('stored')
  const { deps } = createRig({ play, tools, deps: { committed } })
  await collect(deps)
  expect(order).toEqual(['stored', 'look', 'look', 'stored', 'put', 'look', 'stored', 'send'])
})
