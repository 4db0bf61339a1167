import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import type { JsonObject } from '#lib/spec/json'
import { type Api, callEntry, openApi } from './http.fixture'

let canary: Api
beforeAll(async () => {
  canary = await openApi((_request, response) => void response.end('canary'))
})
afterAll(() => canary.close())

/** Hosts that lead to this machine or into a private network, in many spellings; a few of each kind come first. */
const hosts = [
  ...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '2130706433', '[::ffff:127.0.0.1]', '169.254.169.254'],
  ...['127.1', '127.0.1', '0x7f.0.0.1', '0177.0.0.1', '0x7f000001', '017700000001', '127.255.255.254'],
  ...['localhost.', 'LOCALHOST', 'a.localhost', '１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1'],
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '100.64.0.1'],
  ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '255.255.255.255'],
  ...[
    '[::]',
    '[::ffff:7f00:1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[fc00::1]',
  ],
  ...[
    '[fd00::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
    '[2001::7f00:1]',
  ],
]
const few = 7
const tried = isDeep ? hosts : hosts.slice(0, few)

const entries = (address: string): (JsonObject & { use: string })[] => [
  { use: 'http', name: 'call', url: `${address}/` },
  {
    use: 'openapi',
    name: 'api',
    baseUrl: address,
    operations: [{ name: 'get', method: 'GET', path: '/', parameters: { type: 'object' }, hash: 'x' }],
  },
]

describe('T22 requests of an agent never reach what is private @deep', () => {
  test.each(tried)('by the address %s', async (host) => {
    for (const entry of entries(`http://${host}:${new URL(canary.url).port}`)) {
      const output = await callEntry(entry, {})
      expect(output).toMatchObject({ ok: false, code: expect.stringMatching(/^(blocked|bad_url)$/) })
    }
    expect(canary.received).toEqual([])
  })

  test.each(tried)('by a redirect to %s', async (host) => {
    const target = `http://${host}:${new URL(canary.url).port}/`
    // A header is sent as bytes of Latin-1.
    const sent = Buffer.from(target).toString('latin1')
    const site = await openApi((_request, response) => void response.writeHead(302, { location: sent }).end())
    for (const entry of entries(site.url)) {
      const output = await callEntry(entry, {}, { allow: [site.host] })
      expect(output).toMatchObject({ ok: false, code: expect.stringMatching(/^(blocked|bad_url)$/) })
    }
    expect(canary.received).toEqual([])
    await site.close()
  })

  test.each([[['127.0.0.1']], [['93.184.216.34', '127.0.0.1']], [['::1']], [['fd00::1', '93.184.216.34']]])(
    'by a name that resolves to %j',
    async (addresses) => {
      const lookup = ((_name: string, _options: object, done: (error: null, found: object[]) => void) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        )) as never // cast: the part of dns.lookup that is used
      for (const entry of entries(`http://api.example.com:${new URL(canary.url).port}`))
        expect(await callEntry(entry, {}, { lookup })).toMatchObject({ ok: false, code: 'blocked' })
      expect(canary.received).toEqual([])
    },
  )

  test.each([
    'ftp://a.example/',
    'file:///etc/passwd',
    'http://user:pass@a.example/',
    'http://{host}/',
    'http://a.example{path}/',
  ])('an entry with the address %s is not accepted', async (url) => {
    await expect(callEntry({ use: 'http', name: 'call', url }, {})).rejects.toThrow()
    await expect(callEntry({ use: 'openapi', name: 'api', baseUrl: url }, {})).rejects.toThrow()
  })

  test.each([22, 25, 110, 6000])('port %i of a public host is not open', async (port) => {
    const output = await callEntry(
      { use: 'http', name: 'call', url: `http://93.184.216.34:${port}/` },
      {},
      { firstByteMs: 1 },
    )
    expect(output).toMatchObject({ ok: false, code: 'blocked' })
  })
})
