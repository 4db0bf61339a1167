import { expect, test } from 'vitest'
import { allProtocols, boundTool } from './speaking.fixture'

const plain = boundTool('files.create', {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
})
const encoded = (example: string | undefined) =>
  allProtocols.map((protocol) => {
    const tool = example === undefined ? plain : { ...plain, example }
    const { instructions, tools } = protocol
      .open([tool], protocol.placements[0] ?? 'tool_message')
      .encode({ instructions: 'Be brief.', messages: [], offerTools: true })
    return { id: protocol.id, instructions, tools: JSON.stringify(tools) }
  })

test('S0-08 S0-31 an example is part of the instructions in formats of text, and of nothing in native calls', () => {
  const before = encoded(undefined)
  for (const [index, { id, instructions, tools }] of encoded('{"path":"notes/a.md"}').entries()) {
    expect(tools, id).toBe(before[index]?.tools)
    if (id === 'native') expect(instructions).toBe('Be brief.')
    else expect(instructions, id).toMatch(/Example:\n[\s\S]*files\.create[\s\S]*notes\/a\.md/)
  }
})

test('S0-08 arguments are written as a call of the format, and any other text as it is', () => {
  const xml = encoded('{"path":"notes/a.md"}').find(({ id }) => id === 'xml')
  expect(xml?.instructions).toContain(
    '<invoke name="files.create">\n<parameter name="path">notes/a.md</parameter>\n</invoke>',
  )
  for (const { id, instructions } of encoded('Give a path below notes.'))
    expect(instructions.includes('Example:\nGive a path below notes.'), id).toBe(id !== 'native')
})

test('S0-05 a format of text describes one tool as its instructions do', () => {
  for (const protocol of allProtocols.filter(({ id }) => id !== 'native')) {
    const tool = { ...plain, example: '{"path":"a"}' }
    const { instructions } = protocol
      .open([tool], 'user_message')
      .encode({ instructions: '', messages: [], offerTools: true })
    expect(instructions).toContain(protocol.describe?.(tool))
  }
})
