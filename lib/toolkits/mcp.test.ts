import { describe, expect, test } from 'vitest'
import type { McpCall, McpListing, McpPort } from '#lib/spec/mcp'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolPorts } from '#lib/spec/tool'
import { listEntry, openEntry } from './entry'
import { mcp } from './mcp'

const schema = { type: 'object', properties: { path: { type: 'string' } } }
const tool = (name: string) => ({ name, description: `Does ${name}.`, parameters: schema })
const listing: McpListing = {
  tools: ['delete', 'read', 'write'].map(tool),
  withheld: [{ name: 'late', reason: 'it was added and not looked at' }],
  reason: 'the MCP server “files” is connected',
}

function portsWith(port: Partial<McpPort>): ToolPorts {
  return { ...closedPorts, mcp: { ...closedPorts.mcp, ...port } }
}

const entry = (more: object = {}) => ({ use: 'mcp', preset: {}, server: 'files', ...more })

async function listed(more: object = {}, port: Partial<McpPort> = { listing: () => listing }) {
  const now = await listEntry({ toolkit: mcp, entry: entry(more), index: 2 }, portsWith(port))
  return { names: now?.bound().map(({ name }) => name), ...now }
}

describe('which tools an entry offers', () => {
  test.each([
    [{}, ['files.delete', 'files.read', 'files.write']],
    [{ enable: ['read'] }, ['files.read']],
    [{ enable: ['r*', 'w*'] }, ['files.read', 'files.write']],
    [{ disable: ['delete'] }, ['files.read', 'files.write']],
    [{ enable: ['*'], disable: ['*e'] }, ['files.read']],
    [{ enable: ['nothing'] }, []],
  ])('S4-15 with %j', async (more, names) => {
    expect((await listed(more)).names).toEqual(names)
  })

  test('S4-15 a tool in both lists is an error', async () => {
    const both = entry({ enable: ['read', 'write'], disable: ['write'] })
    expect(await openEntry({ toolkit: mcp, entry: both, index: 2 }, { tools: [] })).toEqual({
      ok: false,
      error: [
        {
          severity: 'error',
          code: 'tool_both_ways',
          message: '“write” cannot be in both “enable” and “disable”. Take it out of one of them.',
          path: 'tools/2/disable',
        },
      ],
    })
  })

  test('what is off is named with the reason', async () => {
    expect((await listed()).withheld).toEqual([
      { name: 'files.late', node: 'tools/2', source: 'mcp', reason: 'it was added and not looked at' },
    ])
    expect((await listed({ enable: ['read'] })).withheld).toEqual([])
  })

  test('a server that cannot be reached is named, whichever tools the entry lists', async () => {
    const down: McpListing = {
      tools: [],
      withheld: [{ name: '*', reason: 'it is down' }],
      reason: 'it is down',
    }
    const now = await listed({ enable: ['read'] }, { listing: () => down })
    expect(now).toMatchObject({ names: [], withheld: [{ name: 'files.*', reason: 'it is down' }] })
  })

  test('a server that is not in the settings is named', async () => {
    const now = await listed({}, { listing: () => undefined })
    expect(now).toMatchObject({
      names: [],
      withheld: [{ name: 'files.*', reason: 'there is no MCP server “files” in the settings' }],
    })
  })

  test('the lists are the same while the listing is', async () => {
    const [one, two] = [await listed(), await listed()]
    expect(two.of).toBe(one.of)
    expect(two.withheldOf).toBe(one.withheldOf)
    expect((await listed({ enable: ['read'] })).of).not.toBe(one.of)
  })
})

describe('the class of its tools', () => {
  const classOf = async (more: object, annotations = {}) => {
    const tools = [{ ...tool('read'), annotations }]
    const now = await listed(more, { listing: () => ({ ...listing, tools }) })
    return now.bound?.().map(({ risk, effect }) => `${risk} ${effect}`)
  }

  test('T46 what a server says of its own tools does not lower it', async () => {
    const hints = { readOnlyHint: true, idempotentHint: true, destructiveHint: false }
    expect(await classOf({}, hints)).toEqual(['write effect'])
  })

  test.each([
    [{ risk: 'read' }, 'read read'],
    [{ effect: 'read' }, 'read read'],
    [{ effect: 'idempotent' }, 'write idempotent'],
    [{ risk: 'admin' }, 'admin effect'],
  ])('an entry may set any: %j', async (more, expected) => {
    expect(await classOf(more)).toEqual([expected])
  })
})

describe('a call', () => {
  test('goes to its server under the server’s own name, with preset values, progress and kept files', async () => {
    const calls: McpCall[] = []
    const kept: string[] = []
    const ports: ToolPorts = {
      ...portsWith({
        listing: () => listing,
        call: async (given) => {
          calls.push(given)
          given.onProgress('half\n')
          const file = await given.keep({ name: 'a.png', mediaType: 'image/png', content: new Uint8Array(3) })
          return { ok: true, blocks: [{ type: 'image', artifact: file?.id ?? '' }] }
        },
      }),
      artifacts: {
        keep: async ({ name, mediaType }) => ({ id: 'a1', name, path: null, mediaType, bytes: 3 }),
      },
    }
    const preset = { 'files.read': { path: '/safe' } }
    const now = await listEntry({ toolkit: mcp, entry: entry({ enable: ['read'], preset }), index: 0 }, ports)
    const [bound] = now?.bound() ?? []
    expect(bound).toMatchObject({
      name: 'files.read',
      scopeName: 'files.read',
      source: 'mcp',
      timeoutSeconds: 60,
      parameters: { properties: {} },
    })
    const shown: unknown[] = []
    const output = await bound?.run(
      { path: '/etc' },
      {
        callId: 'call_1_1',
        run: { id: null, agent: { id: null, name: 'a' }, thread: null, step: 0 },
        inLine: (_, wait) => wait(() => undefined),
        signal: new AbortController().signal,
        now: () => 0,
        progress: (update) => shown.push(update),
        created: ({ id }) => kept.push(id),
        ports,
      },
    )
    expect(output).toMatchObject({ ok: true, blocks: [{ type: 'image', artifact: 'a1' }] })
    expect(calls).toMatchObject([{ server: 'files', tool: 'read', args: { path: '/safe' } }])
    expect(shown).toEqual(['half\n'])
    expect(kept).toEqual(['a1'])
  })
})
