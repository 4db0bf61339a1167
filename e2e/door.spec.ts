/**
 * The server's door from outside: which requests are refused, and that pages work under their content
 * security policy.
 */
import http from 'node:http'
import { expect } from '@playwright/test'
import { test } from './journey'

interface Knock {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Node's own client, since fetch does not allow setting Host and Origin. */
function knock(
  baseURL: string | undefined,
  { method = 'GET', path = '/api/agents', headers = {}, body }: Knock,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(baseURL ?? '')
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, method, path, headers, setHost: headers.host === undefined },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    request.on('error', reject).end(body)
  })
}

const create = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ config: { name: 'from-elsewhere' } }),
}

const refused: [string, Knock, number][] = [
  ['T14 a foreign Host', { headers: { host: 'evil.test' } }, 403],
  ['T14 a foreign Host on a page', { path: '/', headers: { host: 'evil.test:3000' } }, 403],
  ['T13 an empty Host', { headers: { host: '' } }, 403],
  ['T13 a Host with user information', { headers: { host: '127.0.0.1@evil.test' } }, 403],
  ['T15 Origin null', { ...create, headers: { ...create.headers, origin: 'null' } }, 403],
  ['T15 a foreign Origin', { ...create, headers: { ...create.headers, origin: 'https://evil.test' } }, 403],
  ['T15 a cross-site fetch', { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' } }, 403],
  [
    'T15 a form body',
    { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b' },
    415,
  ],
  ['T15 a text body', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
]

for (const [name, given, status] of refused) {
  test(`${name} is refused`, async ({ baseURL }) => {
    const answer = await knock(baseURL, given)
    // The HTTP parser may already refuse an empty Host.
    expect([status, 400]).toContain(answer.status)
    expect(answer.text).not.toContain('from-elsewhere')
  })
}

test('a plain link from another site opens a page, and never the API', async ({ baseURL }) => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect((await knock(baseURL, { path: '/', headers: link })).status).toBe(200)
  expect((await knock(baseURL, { path: '/api/agents', headers: link })).status).toBe(403)
})

for (const path of ['/', '/runs', '/settings', '/agents/none', '/runs/none', '/no-such-page']) {
  test(`every script of ${path} carries the nonce, and the page works under the policy`, async ({ page }) => {
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && message.text().includes('Content Security Policy'))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    const response = await page.goto(path)
    const policy = response?.headers()['content-security-policy'] ?? ''
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? 'none'
    const scripts = (await response?.text())?.match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([])
    expect(policy).not.toContain('unsafe-eval')
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(complaints).toEqual([])
  })
}

test('no page asks another host for anything', async ({ page, baseURL }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '') && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  for (const path of ['/', '/runs', '/settings']) {
    await page.goto(path)
    await page.waitForLoadState('networkidle')
  }
  expect(elsewhere).toEqual([])
})
