// biome-ignore-all lint/suspicious/noTemplateCurlyInString: settings name their secrets in this way
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { McpReach } from '#lib/spec/mcp'
import { took } from '#lib/spec/took.fixture'
import { takeSecrets } from './secret-values'
import { fillSecrets, secretsIn } from './templates'

const program = (args: string[], env: Record<string, string> = {}): McpReach => ({
  transport: 'stdio',
  command: 'npx',
  args,
  env,
  network: false,
  read: [],
  write: [],
})
const address = (url: string, headers: Record<string, string> = {}): McpReach => ({
  transport: 'http',
  url,
  headers,
})
const take = (reach: McpReach, server = 'github') => takeSecrets(server, reach, (proposal) => proposal)

describe('values that look like secrets become secrets', () => {
  test.each([
    ['a variable whose name says so', { GITHUB_TOKEN: 'abc' }, { GITHUB_TOKEN: '${GITHUB_TOKEN}' }],
    ['a name in camel case', { exaApiKey: 'abc' }, { exaApiKey: '${GITHUB_EXA_API_KEY}' }],
    ['a value that begins like a key', { FOO: 'ghp_0123456789abcdef' }, { FOO: '${GITHUB_FOO}' }],
    ['a long random value', { FOO: 'a8f3b2c1d0e9f8a7b6c5' }, { FOO: '${GITHUB_FOO}' }],
    [
      'a password in an address',
      { DATABASE_URL: 'postgres://me:hunter2@db.local/x' },
      { DATABASE_URL: 'postgres://me:${GITHUB_PASSWORD}@db.local/x' },
    ],
  ])('S4-36 in the environment: %s', (_, env, taken) => {
    expect(take(program([], env)).reach).toMatchObject({ env: taken })
  })

  test.each([
    ['--token=abc', ['--token=${GITHUB_TOKEN}']],
    [
      '-e GITHUB_PERSONAL_ACCESS_TOKEN=abc',
      ['-e', 'GITHUB_PERSONAL_ACCESS_TOKEN=${GITHUB_PERSONAL_ACCESS_TOKEN}'],
    ],
    ['--api-key abc', ['--api-key', '${GITHUB_API_KEY}']],
    ['https://x.example/mcp?apiKey=abc&limit=5', ['https://x.example/mcp?apiKey=${GITHUB_API_KEY}&limit=5']],
    ['sk-abcdefghijkl', ['${GITHUB_SECRET}']],
  ])('S4-36 in arguments: %s', (text, args) => {
    expect(take(program(text.split(' '))).reach).toMatchObject({ args })
  })

  test('S4-36 in an argument that is a whole header', () => {
    const { reach } = take(program(['--header', 'Authorization: Bearer abc']))
    expect(reach).toMatchObject({ args: ['--header', 'Authorization: Bearer ${GITHUB_AUTHORIZATION}'] })
  })

  test('S4-36 in headers and in the address', () => {
    const url = 'https://mcp.example.com/s/a8f3b2c1d0e9f8a7b6c5/mcp?exaApiKey=a%2Bb'
    const { reach, found } = take(address(url, { Authorization: 'Bearer abc', 'X-Mode': 'fast' }))
    expect(reach).toEqual({
      transport: 'http',
      url: 'https://mcp.example.com/s/${GITHUB_PATH}/mcp?exaApiKey=${GITHUB_EXA_API_KEY}',
      headers: { Authorization: 'Bearer ${GITHUB_AUTHORIZATION}', 'X-Mode': 'fast' },
    })
    expect(found).toContainEqual({ name: 'GITHUB_EXA_API_KEY', value: 'a+b', at: 'url' })
  })

  test.each([
    ['-y @modelcontextprotocol/server-filesystem@2026.8.31 /home/me/notes'],
    ['mcp-remote https://mcp.linear.app/sse --port 8080'],
    ['--max-tokens 4096 --auth-mode oauth'],
    ['run -i --rm ghcr.io/github/github-mcp-server'],
    ['--token ${GITHUB_TOKEN}'],
  ])('other arguments stay as they are: %s', (text) => {
    const reach = program(text.split(' '), { TOKEN_FILE: '/run/token', MAX_TOKENS: '4096', DEBUG: 'true' })
    expect(take(reach)).toEqual({ reach, found: [] })
  })

  test('a server whose name begins with a digit gets names that secrets may have', () => {
    expect(secretsIn(take(program([], { KEY: 'abc' }), '1st-server').reach)).toEqual(['MCP_1ST_SERVER_KEY'])
  })

  test('whatever is taken out and put in again gives the same settings', () => {
    const key = fc.constantFrom('API_KEY', 'token', 'FOO', 'DATABASE_URL', 'x-auth')
    const value = fc.oneof(
      fc.string(),
      fc.webUrl({ withQueryParameters: true }),
      fc.constant('Bearer ghp_0123456789ab'),
    )
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), fc.dictionary(key, value), (args, env) => {
        fc.pre(![...args, ...Object.values(env)].some((text) => text.includes('${')))
        const reach = program(args, env)
        const names = Array.from({ length: 100 }, (_, n) => `S_${n}`)
        const { reach: taken, found } = takeSecrets('s', reach, () => names.pop() ?? '')
        expect(fillSecrets(taken, new Map(found.map((each) => [each.name, each.value])))).toEqual(reach)
      }),
    )
  })

  test('T40 long texts take no long time', () => {
    const long = [
      '/'.repeat(8_000),
      'a'.repeat(8_000),
      'a://b:'.repeat(1_300),
      '?k='.repeat(2_600),
      'A='.repeat(4_000),
    ]
    expect(took(() => take(program([...long, ...long])))).toBeLessThan(1_000)
  })
})
