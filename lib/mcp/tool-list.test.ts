import { expect, test } from 'vitest'
import { maxSchemaBytes } from './limits'
import { type ReadToolPage, readToolList, type ToolPage } from './tool-list'

const schema = { type: 'object', properties: {} }

function pages(all: readonly ToolPage[]): { read: ReadToolPage; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = []
  return {
    asked,
    read: async (cursor) => {
      asked.push(cursor)
      return all[Number(cursor ?? 0)] ?? {}
    },
  }
}

test('E-55 every page is read, and the tools are in the order of their names', async () => {
  const { read, asked } = pages([
    { tools: [{ name: 'b', inputSchema: schema }], nextCursor: '1' },
    { tools: [{ name: 'c', inputSchema: schema }], nextCursor: '2' },
    { tools: [{ name: 'a', inputSchema: schema }] },
  ])
  const { tools } = await readToolList(read)
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  expect(asked).toEqual([undefined, '1', '2'])
})

test('E-55 reading ends at a cursor that came before', async () => {
  const { read, asked } = pages([
    { tools: [{ name: 'a', inputSchema: schema }], nextCursor: '1' },
    { tools: [{ name: 'b', inputSchema: schema }], nextCursor: '1' },
  ])
  const { tools } = await readToolList(read)
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b'])
  expect(asked).toEqual([undefined, '1'])
})

test('E-55 reading ends after 100 pages', async () => {
  let page = 0
  const { tools } = await readToolList(async () => {
    page += 1
    return { tools: [{ name: `t${page}`, inputSchema: schema }], nextCursor: `${page}` }
  })
  expect(page).toBe(100)
  expect(tools).toHaveLength(100)
})

test.each([
  [
    'a schema over 64 KiB',
    { name: 'x', inputSchema: { ...schema, description: 'x'.repeat(maxSchemaBytes) } },
    /larger than 64 KiB/,
  ],
  [
    'a reference to another document',
    { name: 'x', inputSchema: { ...schema, properties: { a: { $ref: 'https://example.com/a.json' } } } },
    /refers to another document/,
  ],
  ['a schema of a list', { name: 'x', inputSchema: { type: 'array' } }, /does not describe an object/],
  ['a boolean schema', { name: 'x', inputSchema: true }, /does not describe an object/],
  [
    'a schema nested too deeply',
    {
      name: 'x',
      inputSchema: JSON.parse(`{"type":"object","properties":${'{"a":'.repeat(80)}{}${'}'.repeat(80)}}`),
    },
    /nested too deeply/,
  ],
  ['an invisible character in its name', { name: 'a\u200bb', inputSchema: schema }, /invisible character/],
  ['a name of 200 characters', { name: 'x'.repeat(200), inputSchema: schema }, /1 to 128 characters/],
])('E-56 a tool with %s is withheld with the reason', async (_, tool, reason) => {
  const { tools, withheld } = await readToolList(
    pages([{ tools: [tool, { name: 'good', inputSchema: schema }] }]).read,
  )
  expect(tools.map(({ name }) => name)).toEqual(['good'])
  expect(withheld).toMatchObject([{ reason: expect.stringMatching(reason) }])
})

test('E-56 a schema keeps its own references, and one without a type describes an object', async () => {
  const own = { $defs: { a: { type: 'string' } }, properties: { a: { $ref: '#/$defs/a' } } }
  const { tools } = await readToolList(
    pages([
      {
        tools: [
          { name: 'x', inputSchema: own },
          { name: 'y' },
          { name: 'z', inputSchema: { type: ['object', 'null'] } },
        ],
      },
    ]).read,
  )
  expect(tools.map(({ parameters }) => parameters)).toEqual([
    { ...own, type: 'object' },
    { type: 'object' },
    { type: 'object' },
  ])
})

test('T39 keys that could reach a prototype are removed from a schema', async () => {
  const given = JSON.parse(
    '{"name":"x","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}',
  )
  const { tools } = await readToolList(pages([{ tools: [given] }]).read)
  expect(Object.keys(tools[0]?.parameters.properties ?? {})).toEqual([])
})

test('what is no tool is left out, and of two tools with one name the first is offered', async () => {
  const { tools, withheld } = await readToolList(
    pages([
      {
        tools: [
          'text',
          null,
          { name: 7 },
          { name: 'a', description: 'one', inputSchema: schema },
          { name: 'a', inputSchema: schema },
        ],
      },
    ]).read,
  )
  expect(tools).toMatchObject([{ name: 'a', description: 'one' }])
  expect(withheld).toEqual([{ name: 'a', reason: 'the server lists two tools with this name' }])
})

test('300 tools are handled, and of more than 1,000 the rest is named as left out', async () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `t${index}`, inputSchema: schema }))
  expect((await readToolList(pages([{ tools: many(300) }]).read)).tools).toHaveLength(300)
  const { tools, withheld } = await readToolList(pages([{ tools: many(1_500) }]).read)
  expect(tools).toHaveLength(1_000)
  expect(withheld).toMatchObject([{ name: '*' }])
})

test('a page without a list of tools ends nothing else', async () => {
  expect((await readToolList(async () => ({ tools: 'none' }))).tools).toEqual([])
})
