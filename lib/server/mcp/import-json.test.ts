// biome-ignore-all lint/suspicious/noTemplateCurlyInString: settings name their secrets in this way
import { describe, expect, test } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { readEntries } from './import-json'

function entriesOf(value: unknown) {
  const read = readEntries(typeof value === 'string' ? value : JSON.stringify(value))
  if (!read.ok) throw new Error(read.error)
  return read.value
}
const entryOf = (value: unknown) => entriesOf({ mcpServers: { it: value } })[0]?.result
const errorOf = (value: unknown) => {
  const result = entryOf(value)
  return result?.ok === false ? result.error : undefined
}

describe('S4-36 the JSON of other programs', () => {
  test('Claude Desktop and Cursor: mcpServers with commands and addresses', () => {
    const mcpServers = {
      files: { command: 'npx', args: ['-y', 'server-filesystem', '/home/me'], env: { A: 'b', N: 1 } },
      docs: { url: 'https://mcp.example.com/mcp', headers: { 'X-Mode': 'fast' } },
    }
    expect(entriesOf({ mcpServers })).toMatchObject([
      {
        entry: 'files',
        result: {
          ok: true,
          value: {
            name: 'files',
            reach: { transport: 'stdio', command: 'npx', env: { A: 'b', N: '1' }, network: false },
          },
        },
      },
      {
        entry: 'docs',
        result: { ok: true, value: { reach: { transport: 'http', headers: { 'X-Mode': 'fast' } } } },
      },
    ])
  })

  test('VS Code: servers, with comments, a trailing comma and inputs', () => {
    const text = `{
      // The token is asked for.
      "inputs": [{ "id": "gh-token", "type": "promptString" }],
      "servers": {
        "gh": { "type": "stdio", "command": "gh-mcp", "env": { "T": "\${input:gh-token}", "U": "// no comment, ]" }, },
        /* a remote one */
        "sse": { "type": "sse", "url": "https://mcp.example.com/sse" },
      },
    }`
    const [first, second] = entriesOf(text)
    expect(first?.result).toMatchObject({
      ok: true,
      value: {
        reach: { env: { T: '${GH_TOKEN}', U: '// no comment, ]' } },
        notes: [expect.stringContaining('GH_TOKEN')],
      },
    })
    expect(second?.result).toMatchObject({ ok: true, value: { notes: [expect.stringContaining('SSE')] } })
  })

  test('entries alone, and other keys for the address', () => {
    expect(
      entriesOf({ a: { serverUrl: 'https://a.example/mcp' }, b: { httpUrl: 'http://127.0.0.1:3000/mcp' } }),
    ).toMatchObject([
      { result: { ok: true, value: { reach: { url: 'https://a.example/mcp' } } } },
      { result: { ok: true, value: { reach: { url: 'http://127.0.0.1:3000/mcp' } } } },
    ])
  })

  test('a name that cannot be used becomes one that can, and that is noted', () => {
    expect(entriesOf({ mcpServers: { '@scope/My server!': { command: 'x' } } })).toMatchObject([
      {
        entry: '@scope/My server!',
        result: { ok: true, value: { name: 'scope-My-server', notes: [expect.any(String)] } },
      },
    ])
  })

  test.each([
    ['neither a command nor an address', {}, 'neither a "command" nor a "url"'],
    ['no object', 'npx', 'not an object'],
    ['a disabled one', { command: 'x', disabled: true }, 'disabled'],
    ['a working folder', { command: 'x', cwd: '/tmp' }, 'cwd'],
    ['variables in a file', { command: 'x', envFile: '.env' }, 'envFile'],
    ['the folder of an editor', { command: 'x', args: ['${workspaceFolder}/a'] }, '${workspaceFolder}'],
    ['another scheme', { url: 'file:///etc/passwd' }, 'url'],
    ['a password in the address', { url: 'https://me:pw@x.example/' }, 'password'],
    ['an argument with NUL', { command: 'x', args: ['a\0b'] }, 'number 0'],
    ['a variable that is no name', { command: 'x', env: { 'A=B': 'c' } }, 'name of a variable'],
    ['a relative folder', { command: 'x', read: ['notes'] }, 'absolute'],
    [
      'a header with a line break',
      { url: 'https://x.example/', headers: { A: 'b\r\nC: d' } },
      'cannot be sent',
    ],
    [
      'a header of the connection',
      { url: 'https://x.example/', headers: { Host: 'y' } },
      'by the connection',
    ],
    ['a port of another protocol', { url: 'http://x.example:25/' }, 'port 25'],
    ['too long a command', { command: 'x'.repeat(100_000) }, '"command"'],
    ['arguments that are no list', { command: 'x', args: 'a b' }, '"args"'],
  ])('judges an entry on its own: %s', (_, value, part) => {
    const good = { command: 'x' }
    const [first, second] = entriesOf({ mcpServers: { bad: value, good } })
    expect(first?.result).toMatchObject({ ok: false, error: expect.stringContaining(part) })
    expect(second?.result.ok).toBe(true)
    expect(errorOf(value)?.length).toBeLessThan(400)
  })

  test('of two servers with one name neither is read, and the others are', () => {
    const text =
      '{"mcpServers": {"a": {"command": "one"}, "b": {"command": "two"}, /* again */ "\\u0061": {"url": "https://x.example"}}}'
    expect(entriesOf(text)).toMatchObject([
      { entry: 'a', result: { ok: false, error: expect.stringMatching(/^Several servers have this name/) } },
      { entry: 'b', result: { ok: true } },
    ])
    const lists = '{"mcpServers": {"a": {"command": "one"}}, "mcpServers": {"b": {"command": "two"}}}'
    expect(readEntries(lists)).toEqual({
      ok: false,
      error: 'It has the key "mcpServers" twice, of which only one would count. Write one list of servers.',
    })
    expect(entriesOf('{"a": {"command": "one"}, "a": {"command": "two"}}')).toMatchObject([
      { entry: 'a', result: { ok: false } },
    ])
  })

  test('what means nothing here is named', () => {
    const result = entryOf({ command: 'x', autoApprove: ['a'], timeout: 5, colour: 'red' })
    expect(result).toMatchObject({
      ok: true,
      value: {
        notes: [
          expect.stringContaining('policies'),
          expect.stringContaining('time limit'),
          expect.stringContaining('"colour"'),
        ],
      },
    })
  })

  const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`s${n}`, {}]))

  test.each([
    ['that is empty', '', 'empty'],
    ['that names none', '{"mcpServers": {}}', 'names no server'],
    ['that is a list', '[]', 'no servers'],
    ['that ends too early', '{"mcpServers": {"a": {"command": "x"}', 'line 1, column 38'],
    ['that reaches for a prototype', '{"__proto__": {"command": "x"}}', '__proto__'],
    ['with too many', JSON.stringify({ mcpServers: many }), '501'],
    ['that is nested too deeply', '['.repeat(100_000), 'nested'],
  ])('refuses a text %s', (_, text, part) => {
    expect(readEntries(text)).toMatchObject({ ok: false, error: expect.stringContaining(part) })
  })

  test('T40 hostile texts take no long time', () => {
    const texts = [
      '/*'.repeat(250_000),
      '"\\'.repeat(250_000),
      ','.repeat(500_000),
      `,${' '.repeat(499_000)}`.repeat(1),
    ]
    expect(took(() => texts.map((text) => readEntries(text)))).toBeLessThan(3_000)
  })

  test('T39 names of prototypes are names like others', () => {
    expect(
      entriesOf({ mcpServers: { constructor: { command: 'x' }, toString: { command: 'x' } } }),
    ).toMatchObject([
      { result: { ok: true, value: { name: 'constructor' } } },
      { result: { ok: true, value: { name: 'toString' } } },
    ])
  })
})
