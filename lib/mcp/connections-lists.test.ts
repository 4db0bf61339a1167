/** Lists that change, eras of the protocol, and the processes of servers. */
import { afterEach, describe, expect, test } from 'vitest'
import { callOf, closeAll, namesIn, never, one } from './servers.fixture'

afterEach(closeAll)

describe('lists', () => {
  test('E-55 a list in pages is read whole, and 300 tools are handled', async () => {
    const { connections, log } = await one(['--tools', '300', '--page', '50'])
    expect(connections.listing('one')?.tools).toHaveLength(317)
    expect(log().filter((line) => line.startsWith('list'))).toHaveLength(7)
  })

  test('a server that changes its list says so, and the list is the same array while nothing changes', async () => {
    const { connections } = await one()
    const before = connections.listing('one')
    await connections.call(callOf('more'), never)
    await expect.poll(() => namesIn(connections.listing('one'))).toContain('late')
    expect(connections.listing('one')?.reason).toBe('the MCP server “one” lists other tools')
    await connections.call(callOf('more'), never)
    await expect.poll(() => namesIn(connections.listing('one'))).not.toContain('late')
    const after = connections.listing('one')
    await connections.test('one', never)
    expect(connections.listing('one')).toBe(after)
    expect(namesIn(after)).toEqual(namesIn(before))
  })

  test('T46 a tool that changed is off until it is allowed, and a call of it is refused', async () => {
    const { settings, connections } = await one()
    const reason = 'its description has changed and was not looked at'
    settings.allow = (_, tools) => ({
      offered: new Set(tools.filter(({ name }) => name !== 'echo').map(({ name }) => name)),
      withheld: [{ name: 'echo', reason }],
    })
    await connections.call(callOf('change'), never)
    await expect.poll(() => connections.listing('one')?.withheld).toEqual([{ name: 'echo', reason }])
    expect(namesIn(connections.listing('one'))).toContain('slow')
    expect(await connections.call(callOf('echo'), never)).toMatchObject({
      ok: false,
      code: 'mcp_withheld',
      message: expect.stringContaining(reason),
    })
    settings.allow = (_, tools) => ({ offered: new Set(tools.map(({ name }) => name)), withheld: [] })
    settings.change({ name: 'one', what: 'tools' })
    await expect.poll(() => namesIn(connections.listing('one'))).toContain('echo')
  })

  test('new settings end the old connection, and the next use starts the server anew', async () => {
    const { settings, connections, log } = await one()
    settings.change({ name: 'one', what: 'reach' })
    await connections.connect(['one'], never)
    expect(namesIn(connections.listing('one'))).toContain('echo')
    expect(log().filter((line) => line.startsWith('start')).length).toBe(2)
  })
})

describe('eras', () => {
  test('a program that ends at the question about its era is started anew in the old one, and not asked again', async () => {
    const { settings, connections, log } = await one(['--strict'])
    expect(namesIn(connections.listing('one'))).toContain('echo')
    expect(settings.reports.at(-1)?.report).toMatchObject({
      state: 'ready',
      info: { name: 'misbehaving', protocol: '2025-06-18' },
    })
    await connections.call(callOf('die'), never)
    expect(log().filter((line) => line === 'server/discover')).toHaveLength(1)
  })
})

describe('processes', () => {
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0)
      return true
    } catch {
      return false
    }
  }
  const pidsIn = (lines: readonly string[]) =>
    lines.flatMap((line) => /^(?:start|child) (\d+)$/.exec(line)?.[1] ?? []).map(Number)

  test('T54 closing ends a server that ignores the end of its input and SIGTERM, with its own children', async () => {
    const { connections, log } = await one(['--ignore-end', '--child'])
    const pids = pidsIn(log())
    expect(pids).toHaveLength(2)
    expect(pids.every(isAlive)).toBe(true)
    await connections.close()
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  test('a connection without calls is closed after a while, and the next call opens it again', async () => {
    const { connections, log } = await one([], { idle: 100 })
    const [pid = 0] = pidsIn(log())
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(namesIn(connections.listing('one'))).toContain('echo')
    expect(await connections.call(callOf('slow', { args: { ms: 300 } }), never)).toMatchObject({ ok: true })
    expect(pidsIn(log())).toHaveLength(2)
  })
})
