/** The real mask under the real engine and store: a masked value appears nowhere, not even on the disk. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import { type House, openHouse, scriptOf } from './run-house.fixture'

let house: House | undefined
const place = temporaryFolder()
afterEach(async () => {
  await house?.leave()
  place.remove()
})

const hidden = ['ann@example.com', '13812345678', '4111111111111111', 'CASE-77']
const blocks: Block[] = [
  { type: 'text', text: `${hidden.join(' / ')}\n${'line\n'.repeat(10_000)}` },
  { type: 'json', value: { card: 4111111111111111, phone: '13812345678', total: 12.5 } },
  { type: 'table', columns: ['mail'], rows: [['ann@example.com']] },
]

test('S1-32 what a mask hides is in no event, no file and no request, the kept observation included', async () => {
  const read = {
    effect: 'read' as const,
    run: async ({ progress }: { progress(text: string): void }) => {
      for (const piece of ['ann@exam', 'ple.com\n4111 1111 ', '1111 1111', ' and CASE', '-77'])
        progress(piece)
      return { ok: true as const, blocks }
    },
  }
  house = openHouse({ folder: place.folder, bodies: { 'crm.read': read } })
  const policies = [{ use: 'mask', appliesTo: ['crm.*'], patterns: ['CASE-\\d+'] }]
  const turns: JsonObject[] = [{ calls: [{ name: 'crm.read', args: {} }] }, { text: 'done' }]
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns, { policies })), input: 'go' })
  await house.end(id)
  const events = house.stores.runs.events(id)
  const finished = events.find((each) => each.type === 'call.finished')
  expect(finished?.result.text).toContain('[email] / [phone] / [card] / [masked]')
  expect(finished?.result.blocks.slice(1)).toEqual([
    { type: 'json', value: { card: '[card]', phone: '[phone]', total: 12.5 } },
    { type: 'table', columns: ['mail'], rows: [['[email]']] },
  ])
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'done' })
  expect(house.faults).toEqual([])

  const files = fs.readdirSync(place.folder, { recursive: true, withFileTypes: true })
  const kept = files.filter((each) => each.isFile())
  expect(kept.length).toBeGreaterThan(0)
  for (const each of kept) {
    const bytes = fs.readFileSync(path.join(each.parentPath, each.name)).toString('latin1')
    for (const word of hidden) expect(bytes.includes(word), `${word} in ${each.name}`).toBe(false)
  }
})
