import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WebRequest } from '#lib/spec/sandbox'
import { createGuardedFetch, type GuardContext } from './guarded-fetch'
import { isPublicAddress } from './public-address'

const forever = new AbortController().signal
let hits = 0
const canary = http.createServer((_request, response) => {
  hits += 1
  response.end('canary')
})
/** The requests that the allowed server received, newest last. */
const asked: http.IncomingMessage[] = []
let answer: http.RequestListener = (_request, response) => void response.end('hello')
const site = http.createServer((request, response) => {
  asked.push(request)
  answer(request, response)
})
const other = http.createServer((request, response) => {
  asked.push(request)
  response.end('other')
})

const portOf = (server: http.Server) => (server.address() as AddressInfo).port // cast: it listens on a port

beforeAll(async () => {
  for (const server of [canary, site, other])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  for (const server of [canary, site, other]) {
    server.closeAllConnections()
    server.close()
  }
})

async function get(request: WebRequest | string, context: GuardContext = {}) {
  const guarded = createGuardedFetch(context)
  try {
    return await guarded.fetch(typeof request === 'string' ? { url: request } : request, forever)
  } finally {
    await guarded.close()
  }
}

/** The two servers that stand for the public web. */
const allow = () => [`127.0.0.1:${portOf(site)}`, `127.0.0.1:${portOf(other)}`]
const siteUrl = (path = '/') => `http://127.0.0.1:${portOf(site)}${path}`

/** A resolver that returns these answers one after another, and then the last one for ever. */
function resolver(...answers: string[][]): NonNullable<GuardContext['lookup']> & { readonly asked: number } {
  let count = 0
  const lookup = (_name: string, _options: unknown, done: (error: null, found: object[]) => void) => {
    const found = answers[Math.min(count++, answers.length - 1)] ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return Object.defineProperty(lookup, 'asked', { get: () => count }) as never // cast: the part of dns.lookup that is used
}

describe('which addresses are public', () => {
  test.each([
    ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1'],
    ...[
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.1',
      '192.168.1.1',
      '198.18.0.1',
      '198.51.100.7',
      '203.0.113.5',
    ],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::', '::1', 'fc00::1', 'fd12::1', 'fe80::1', 'fec0::1'],
    ...[
      'ff02::1',
      '2001:db8::1',
      '::127.0.0.1',
      '::7f00:1',
      '::ffff:127.0.0.1',
      '::ffff:10.0.0.1',
      '::ffff:0:7f00:1',
    ],
    ...[
      '64:ff9b::7f00:1',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2001::1',
      '100::1',
      '1::1',
      '4000::1',
      '5f00::1',
      '',
      'localhost',
      '1.2.3.4.5',
    ],
  ])('T22 %s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e'])(
    'T22 %s is',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

describe('a fetch for a tool', () => {
  test.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '127.0.0.1.', '①②⑦.⓪.⓪.①'],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
    ...['[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[::127.0.0.1]', '[0:0:0:0:0:0:0:1]'],
  ])('T22 T25 does not reach this machine as %s', async (host) => {
    const before = hits
    const got = await get(`http://${host}:${portOf(canary)}/`)
    expect(got).toMatchObject({ ok: false, retryable: false })
    if (!got.ok) expect(['blocked', 'bad_url']).toContain(got.code)
    expect(hits).toBe(before)
  })

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.0.1/',
    'http://[fd00::1]/',
    'http://100.100.100.200/',
  ])('T22 does not reach %s', async (url) => {
    expect(await get(url)).toMatchObject({ ok: false, code: 'blocked' })
  })

  test.each([
    'file:///etc/passwd',
    'data:text/plain,hi',
    'gopher://example.com/',
    'ftp://example.com/',
    'unix:/run/docker.sock',
    'javascript:alert(1)',
    'http://user:secret@example.com/',
    'http://:secret@example.com/',
    'no url at all',
    '',
  ])('T26 takes no %s', async (url) => {
    expect(await get(url)).toMatchObject({ ok: false, code: 'bad_url' })
  })

  test.each([22, 25, 6667, 2049, 10_080])('T26 takes no port %i', async (port) => {
    expect(await get(`http://example.com:${port}/`)).toMatchObject({ ok: false, code: 'blocked' })
  })

  test('T26 says so where even a port that is allowed can not be asked', async () => {
    const got = await get('http://127.0.0.1:25/', { allow: ['127.0.0.1:25'] })
    expect(got).toMatchObject({ ok: false, code: 'blocked', retryable: false })
  })

  test('T22 reaches what the operator has allowed by host and port, and nothing else there', async () => {
    const got = await get(siteUrl('/page'), { allow: allow() })
    expect(got).toMatchObject({ ok: true, value: { url: siteUrl('/page'), status: 200 } })
    expect(await get(`http://127.0.0.1:${portOf(canary)}/`, { allow: allow() })).toMatchObject({
      code: 'blocked',
    })
  })

  test.each([
    ['one private record among public ones', [['8.8.8.8', '10.0.0.1']]],
    ['a private AAAA beside a public A', [['8.8.8.8', '::1']]],
    ['only private records', [['127.0.0.1']]],
    ['a mapped address', [['::ffff:127.0.0.1']]],
    ['no record at all', [[]]],
  ])('T24 refuses a name with %s', async (_what, answers) => {
    const before = hits
    const got = await get(`http://rebind.example:${portOf(canary)}/`, { lookup: resolver(...answers) })
    expect(got).toMatchObject({ ok: false, code: 'blocked' })
    expect(hits).toBe(before)
  })

  test('T24 looks a name up once for a connection, so that a second answer cannot lead elsewhere', async () => {
    const before = hits
    // TEST-NET would be refused, so the first answer is a public address that nobody answers at from here.
    const lookup = resolver(['8.8.8.8'], ['127.0.0.1'])
    const got = await get({ url: `http://rebind.example:${portOf(canary)}/`, timeoutMs: 1_500 }, { lookup })
    expect(got.ok).toBe(false)
    expect(lookup.asked).toBe(1)
    expect(hits).toBe(before)
  })

  test('T23 judges every redirect before it follows', async () => {
    const before = hits
    answer = (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(canary)}/` }).end()
    }
    expect(await get(siteUrl(), { allow: allow() })).toMatchObject({ ok: false, code: 'blocked' })
    expect(hits).toBe(before)
  })

  test('T23 tells another origin nothing that was meant for the first', async () => {
    answer = (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${portOf(other)}/there` }).end()
    }
    const headers = { authorization: 'Bearer SEC', cookie: 'a=SEC', 'x-api-key': 'SEC', accept: 'text/html' }
    const got = await get({ url: siteUrl(), headers }, { allow: allow() })
    expect(got).toMatchObject({ ok: true, value: { url: `http://127.0.0.1:${portOf(other)}/there` } })
    expect(asked.at(-2)?.headers.authorization).toBe('Bearer SEC')
    expect(JSON.stringify(asked.at(-1)?.headers)).not.toContain('SEC')
    expect(asked.at(-1)?.headers.accept).toBe('text/html')
  })

  test('T23 sends no body on to another origin', async () => {
    answer = (_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/` }).end()
    }
    const got = await get({ url: siteUrl(), method: 'POST', body: 'SEC' }, { allow: allow() })
    expect(got).toMatchObject({ ok: false, code: 'redirects' })
  })

  test('T23 follows five redirects and no more', async () => {
    answer = (request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('arrived')
      else response.writeHead(301, { location: `/${left - 1}` }).end()
    }
    expect(await get(siteUrl('/5'), { allow: allow() })).toMatchObject({ ok: true })
    expect(await get(siteUrl('/6'), { allow: allow() })).toMatchObject({ ok: false, code: 'redirects' })
  })

  test('T27 counts bytes after decoding, so that a small bomb is no large answer', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    }
    const before = process.memoryUsage().rss
    expect(await get(siteUrl(), { allow: allow() })).toMatchObject({ ok: false, code: 'too_large' })
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024)
  })

  test('T27 ends an answer that never ends', async () => {
    answer = (_request, response) => {
      const timer = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(timer))
    }
    const got = await get({ url: siteUrl(), timeoutMs: 250 }, { allow: allow() })
    expect(got).toMatchObject({ ok: false, code: 'timeout', retryable: true })
  })

  test('T27 gives up on a server that says nothing', async () => {
    answer = () => {}
    const got = await get(siteUrl(), { allow: allow(), firstByteMs: 200 })
    expect(got).toMatchObject({ ok: false, code: 'timeout', retryable: true })
  })

  test('is over at once when it is stopped', async () => {
    answer = () => {}
    const stop = new AbortController()
    const guarded = createGuardedFetch({ allow: allow() })
    const going = guarded.fetch({ url: siteUrl() }, stop.signal)
    stop.abort()
    expect(await going).toMatchObject({ ok: false, code: 'aborted' })
    await guarded.close()
  })

  test('says when nobody answers', async () => {
    const gone = http.createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const port = portOf(gone)
    await new Promise((resolve) => gone.close(resolve))
    const got = await get(`http://127.0.0.1:${port}/`, { allow: [`127.0.0.1:${port}`] })
    expect(got).toMatchObject({ ok: false, code: 'connection', retryable: true })
  })
})
