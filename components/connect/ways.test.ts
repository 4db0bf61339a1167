import { describe, expect, test } from 'vitest'
import { keyUse } from '#lib/spec/agent-key'
import { expiryWords, lastUseWords, spendWords } from './key-words'
import { keyPlace, waysOf } from './ways'

const outlet = {
  url: 'http://127.0.0.1:3000',
  agent: { id: 'agent_1', name: 'helper' },
  key: 'lwk_secret',
}

describe('what other programs need to use an agent', () => {
  test.each(keyUse.options)('every way of use %s names this server, and the key once it is known', (use) => {
    for (const { text } of waysOf(use, outlet)) {
      expect(text).toContain('http://127.0.0.1:3000/')
      expect(text).toContain('lwk_secret')
    }
    for (const { text } of waysOf(use, { ...outlet, key: null })) expect(text).toContain(keyPlace)
  })

  test('the clients of MCP get the address of the agent and the header with the key', () => {
    const ways = Object.fromEntries(waysOf('mcp', outlet).map(({ id, text }) => [id, text]))
    const url = 'http://127.0.0.1:3000/api/mcp/helper'
    expect(ways['claude-code']).toBe(
      `claude mcp add --transport http helper ${url} --header "Authorization: Bearer lwk_secret"`,
    )
    expect(JSON.parse(ways['vs-code'] ?? '')).toEqual({
      servers: { helper: { type: 'http', url, headers: { Authorization: 'Bearer lwk_secret' } } },
    })
    expect(JSON.parse(ways.cursor ?? '')).toEqual({
      mcpServers: { helper: { url, headers: { Authorization: 'Bearer lwk_secret' } } },
    })
    expect(JSON.parse(ways['claude-desktop'] ?? '').mcpServers.helper).toEqual({
      command: 'npx',
      args: ['-y', 'mcp-remote', url, '--header', `Authorization:\${AUTHORIZATION}`],
      env: { AUTHORIZATION: 'Bearer lwk_secret' },
    })
  })

  test('the bridge of Claude Desktop is told of plain HTTP only to another machine', () => {
    const desktop = (url: string) =>
      waysOf('mcp', { ...outlet, url }).find(({ id }) => id === 'claude-desktop')?.text ?? ''
    expect(desktop('http://10.0.0.5:3000')).toContain('--allow-http')
    expect(desktop('https://agents.example.com')).not.toContain('--allow-http')
  })

  test('the link of the chat has the key behind #, so that no server sees it in an address', () => {
    expect(waysOf('chat', outlet)[0]?.text).toBe('http://127.0.0.1:3000/talk/helper#lwk_secret')
  })
})

describe('what the list says of a key', () => {
  const day = 24 * 60 * 60_000
  test.each([
    [null, null],
    [-1, 'expired'],
    [60_000, 'expires in 1 h'],
    [day, 'expires in 24 h'],
    [30 * day, 'expires in 30 days'],
  ])('a key with %s ms left: %s', (left, words) => {
    expect(expiryWords({ expiresAt: left === null ? null : 1_000 + left }, 1_000)).toBe(words)
  })
  test('its last use', () => {
    expect(lastUseWords({ lastUsedAt: null }, 0)).toBe('never used')
    expect(lastUseWords({ lastUsedAt: 0 }, 180_000)).toBe('used 3 min ago')
  })
  test('what is used of its budget of today', () => {
    const today = { runs: 3, usd: 0.02 }
    expect(spendWords({ today, runsPerDay: 100, usdPerDay: 1 })).toBe('3 of 100 runs, $0.0200 of $1 today')
    expect(spendWords({ today: { runs: 1, usd: 0 }, runsPerDay: null, usdPerDay: null })).toBe(
      '1 run, $0 today',
    )
  })
})
