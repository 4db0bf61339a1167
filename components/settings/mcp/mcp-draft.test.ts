import { describe, expect, test } from 'vitest'
import type { McpReach } from '#lib/spec/mcp'
import { draftOfServer, emptyDraft, faultsOf, isComplete, saveRequestOf, splitCommand } from './mcp-draft'

const program: McpReach = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'a server', '--name= x'],
  env: { TOKEN: '$' + '{GITHUB_TOKEN}', EMPTY: '' },
  network: true,
  read: ['/home/me/notes'],
  write: ['/tmp/out'],
}
const address: McpReach = {
  transport: 'http',
  url: 'https://mcp.example.com/mcp?a=b',
  headers: { Authorization: 'Bearer $' + '{KEY}', 'X-Time': '10:30' },
}

describe('the form of an MCP server', () => {
  test.each([
    ['a program', program],
    ['an address', address],
  ])('shows %s and saves the same again', (_, reach) => {
    const draft = draftOfServer('notes', reach, 90)
    expect(faultsOf(draft, [])).toEqual({})
    expect(saveRequestOf(draft)).toEqual({ reach, timeoutSeconds: 90, declare: [] })
  })

  test('a server whose row cannot be read starts with empty fields', () => {
    expect(draftOfServer('notes', null, 60)).toEqual({ ...emptyDraft, name: 'notes' })
  })

  test.each<[Partial<typeof emptyDraft>, object]>([
    [{ name: 'a b' }, { name: 'Use letters, digits, - and _; at most 40 characters.' }],
    [{ name: 'taken' }, { name: 'A server with this name already exists.' }],
    [{ env: 'A=1\n\nB' }, { env: 'Line 3 must be a name and a value, as in LOG_LEVEL=info.' }],
    [{ env: '=1' }, { env: 'Line 1 must be a name and a value, as in LOG_LEVEL=info.' }],
    [{ read: 'notes' }, { read: 'Each folder must be an absolute path, as in /home/me/notes.' }],
    [{ timeoutSeconds: 0.5 }, { timeoutSeconds: 'A whole number of seconds from 1 to 3,600.' }],
    [
      { transport: 'http', url: 'javascript:alert(1)' },
      { url: 'An http or https address, as in https://mcp.example.com/mcp.' },
    ],
    [
      { transport: 'http', headers: 'X-Key' },
      { headers: 'Line 1 must be a name and a value, as in X-Api-Key: abc.' },
    ],
    [{ transport: 'http', read: 'notes' }, {}],
  ])('names what is wrong: %j', (change, faults) => {
    expect(faultsOf({ ...emptyDraft, ...change }, ['taken'])).toEqual(faults)
  })

  test('is complete with a name and a program, or a name and an address', () => {
    expect(isComplete({ ...emptyDraft, name: 'a', command: 'node' })).toBe(true)
    expect(isComplete({ ...emptyDraft, name: 'a', transport: 'http', command: 'node' })).toBe(false)
    expect(isComplete({ ...emptyDraft, command: 'node' })).toBe(false)
  })
})

describe('a whole command line', () => {
  test.each([
    ['npx -y @scope/server /tmp', { command: 'npx', args: '-y\n@scope/server\n/tmp' }],
    ['"/opt/my tools/run" --a="b c" \'d e\'', { command: '/opt/my tools/run', args: '--a=b c\nd e' }],
    ['run ""', { command: 'run', args: '' }],
    ['node', undefined],
    ['run "open', undefined],
    ['', undefined],
  ])('%j is split', (line, split) => {
    expect(splitCommand(line)).toEqual(split)
  })
})
