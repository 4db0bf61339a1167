import { expect, test } from 'vitest'
import { allProtocols, boundTool, heard, spoken } from './speaking.fixture'

const shown = boundTool('time.now', { type: 'object', properties: {} })
const hidden = {
  ...boundTool('files.create', { type: 'object', properties: { path: { type: 'string' } } }),
  hidden: true as const,
}

test.each(allProtocols.map((protocol) => ({ id: protocol.id, protocol })))(
  'S0-08 S0-31 the $id format says nothing of a hidden tool, and reads a call of it',
  ({ protocol }) => {
    const placement = protocol.placements[0] ?? 'tool_message'
    const ask = { instructions: 'Be brief.', messages: [], offerTools: true }
    const codec = protocol.open([shown, hidden], placement)
    expect(codec.encode(ask)).toEqual(protocol.open([shown], placement).encode(ask))
    expect(codec.offered.map(({ name }) => name)).toEqual(['time.now'])
    const { calls } = heard(codec, spoken(codec, [{ name: 'files.create', args: { path: 'a.txt' } }]))
    expect(calls).toMatchObject([{ name: 'files.create' }])
  },
)
