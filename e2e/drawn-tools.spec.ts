/** Tools from drawing to answer: Python over an uploaded table, an HTTP request, and operations of a large API. */
import http from 'node:http'
import { expect, type Locator, type Page } from '@playwright/test'
import { call, createAgent, readStream, scriptedConfig, type Turn } from './api'
import { test } from './journey'
import { ownServer } from './own-server'
import { deepOnly } from './test-depth'

/** Finds a part by a word, and puts it on the canvas. */
async function addPart(page: Page, word: string, name: RegExp): Promise<void> {
  const parts = page.getByRole('complementary', { name: 'Parts' })
  await parts.getByPlaceholder('Search parts').fill(word)
  await parts.getByRole('button', { name }).first().click()
}
const inspectorOf = (page: Page) => page.getByRole('complementary', { name: 'Inspector' })
const field = (of: Locator, name: string) => of.getByRole('textbox', { name, exact: true }).first()

/** An agent without tools, open in the builder; its model plays these turns. */
async function openDrawing(page: Page, url: string, name: string, turns: readonly Turn[]): Promise<string> {
  const agent = await createAgent(url, scriptedConfig(name, turns, { tools: [] }))
  // A server of its own is a page of its own, to which the tour is new.
  await page.addInitScript(() => localStorage.setItem('loopwright:tour', 'left'))
  await page.goto(`${url}/agents/${agent}`)
  return agent
}

interface SavedAgent {
  readonly config: { readonly tools?: readonly Record<string, unknown>[] } | null
}
const savedTools = async (url: string, agent: string) =>
  (await call<SavedAgent>(`${url}/api/agents/${agent}`)).config?.tools ?? []

/** Adds a name to a list of named values. */
async function addName(inspector: Locator, list: string, name: string): Promise<void> {
  await field(inspector, list).fill(name)
  await inspector.page().keyboard.press('Enter')
}

const drawing = `import csv, struct, zlib
rows = list(csv.DictReader(open("uploads/sales.csv")))
print("Read", len(rows), "rows")
width, height = 140, 130
def lines():
    for y in range(height):
        line = b"\\0"
        for x in range(width):
            at = x // 45
            isBar = at < len(rows) and x % 45 < 35 and height - y <= int(rows[at]["amount"])
            line += b"\\x2a\\xa1\\x6e" if isBar else b"\\xff\\xff\\xff"
        yield line
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
with open("bars.png", "wb") as file:
    file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"".join(lines()))) + chunk(b"IEND", b""))
len(rows)`
const total = 'def run(args):\n    return {"total": sum(row["amount"] for row in load_table(args["file"]))}\n'

test(
  'S1-07 Python is drawn, computes on an uploaded table, and shows its output and its picture',
  deepOnly,
  async ({ page, baseURL }) => {
    test.setTimeout(180_000)
    page.setDefaultTimeout(20_000)
    const url = baseURL ?? ''
    const { kinds } = await call<{ kinds: { kind: string; used: string | null }[] }>(`${url}/api/sandbox`)
    const python = kinds.find(({ kind }) => kind === 'python')
    test.skip(python?.used === null, 'not run: no wall for Python holds on this machine')
    const agent = await openDrawing(page, url, 'drawn-python', [
      { text: 'I draw.', calls: [{ name: 'python.run', args: { code: drawing } }] },
      { calls: [{ name: 'sales_total', args: { file: 'uploads/sales.csv' } }] },
      { text: 'The total is 240.' },
    ])
    await addPart(page, 'python.run', /python\.run/)
    await expect.poll(() => savedTools(url, agent)).toHaveLength(1)
    await addPart(page, 'code tool', /^Code tool/)
    const inspector = inspectorOf(page)
    await field(inspector, 'Name').fill('sales_total')
    await inspector.getByRole('radio', { name: 'python' }).click()
    await field(inspector.getByRole('group', { name: 'Parameter text' }), 'Name').fill('file')
    await page.keyboard.press('Tab')
    await field(inspector, 'Source').fill(total)
    await expect
      .poll(async () => (await savedTools(url, agent)).at(-1))
      .toMatchObject({ use: 'code', name: 'sales_total', language: 'python', source: total })

    await page.goto(`${url}/agents/${agent}/chat`)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    const buffer = Buffer.from('region,amount\nNorth,120\nSouth,80\nWest,40\n')
    await (await chooser).setFiles({ name: 'sales.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('textbox', { name: 'Question' }).fill('What is the total?')
    await page.getByRole('button', { name: /^Send/ }).click()
    await expect(page.getByTestId('answer')).toContainText('The total is 240.', { timeout: 30_000 })
    const picture = page.getByRole('list', { name: 'Created files' }).getByRole('img', { name: 'bars.png' })
    await expect(picture).toBeVisible()
    expect(await picture.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(140)

    const { items } = await call<{ items: { id: string }[] }>(`${url}/api/runs?agent=${agent}`)
    const run = items[0]?.id ?? ''
    const shown = (await readStream(url, run, 0)).filter(({ type }) => type === 'call.progressed')
    expect(shown.map(({ data }) => data.text ?? '').join('')).toContain('Read 3 rows')
    await page.goto(`${url}/runs/${run}`)
    await page.getByRole('row', { name: /^python\.run/ }).click()
    await expect(page.getByText('Read 3 rows').first()).toBeVisible()
    const drawn = page.getByRole('complementary', { name: /^Step/ }).locator('img[src*="/api/artifacts/"]')
    await expect(drawn).toBeVisible()
    expect(await drawn.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(140)
    await expect(page.getByText('{"total":240}').or(page.getByText('240')).first()).toBeVisible()
  },
)

const key = 'the-key-of-the-weather-4711'

interface Sent {
  readonly method: string
  readonly url: string
  readonly key: string | undefined
  readonly body: string
}

/** An API on loopback that keeps what it is sent. */
async function startApi(answer: (request: Sent) => object) {
  const sent: Sent[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      key: request.headers['x-key']?.toString(),
      body,
    }
    sent.push(one)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(one)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  return {
    ...{ sent, host, url: `http://${host}` },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

test(
  'S1-26 an HTTP request is drawn with path, query, secret and body, tried, and called by the agent',
  deepOnly,
  async ({ page }) => {
    test.setTimeout(180_000)
    page.setDefaultTimeout(20_000)
    const api = await startApi(({ url }) => ({ stored: true, at: url }))
    const server = await ownServer({ LOOPWRIGHT_ALLOW_HOSTS: api.host })
    try {
      await server.start()
      const { url } = server
      await call(
        `${url}/api/secrets/WEATHER_KEY`,
        { value: key, origins: [api.url] },
        { method: 'PUT', status: 200 },
      )
      const agent = await openDrawing(page, url, 'drawn-http', [
        { calls: [{ name: 'store_report', args: { city: 'São Paulo/Sul', days: 3, text: 'Rain.' } }] },
        { text: 'The report is stored.' },
      ])
      await addPart(page, 'http request', /^HTTP request/)
      const inspector = inspectorOf(page)
      await field(inspector, 'Name').fill('store_report')
      await inspector.getByRole('combobox', { name: 'Method', exact: true }).selectOption('PUT')
      await field(inspector, 'Address').fill(`${api.url}/reports/{city}`)
      for (const name of ['days', 'text']) await addName(inspector, 'Name of a parameter to add', name)
      await inspector.getByRole('combobox', { name: 'Type of days' }).selectOption('integer')
      await addName(inspector, 'Name to add to Query', 'days')
      await inspector
        .getByRole('radiogroup', { name: 'What days is' })
        .getByRole('radio', { name: 'Parameter' })
        .click()
      await inspector.getByRole('combobox', { name: 'days', exact: true }).selectOption('days')
      await addName(inspector, 'Name to add to Headers', 'x-key')
      await inspector
        .getByRole('radiogroup', { name: 'What x-key is' })
        .getByRole('radio', { name: 'Secret' })
        .click()
      await inspector.getByRole('combobox', { name: 'x-key', exact: true }).selectOption('WEATHER_KEY')
      await addName(inspector, 'Name to add to Body', 'report')
      await inspector
        .getByRole('radiogroup', { name: 'What report is' })
        .getByRole('radio', { name: 'Parameter' })
        .click()
      await inspector.getByRole('combobox', { name: 'report', exact: true }).selectOption('text')
      await expect
        .poll(async () => (await savedTools(url, agent))[0])
        .toMatchObject({
          ...{ use: 'http', name: 'store_report', method: 'PUT', url: `${api.url}/reports/{city}` },
          query: { days: { param: 'days' } },
          headers: { 'x-key': { secret: 'WEATHER_KEY' } },
          body: { report: { param: 'text' } },
        })

      await page.goto(`${url}/agents/${agent}/tools/store_report`)
      await page.getByRole('textbox', { name: 'city' }).fill('Bern')
      await page.getByLabel('days', { exact: true }).fill('1')
      await page.getByRole('textbox', { name: 'text' }).fill('Sun.')
      await page.getByRole('button', { name: 'Run it once' }).click()
      await page.getByRole('button', { name: 'Yes, run it' }).click()
      await expect(
        page.getByRole('region', { name: 'Result' }).getByText('"/reports/Bern?days=1"'),
      ).toBeVisible()

      await page.goto(`${url}/agents/${agent}`)
      await page.getByRole('textbox', { name: 'Question' }).fill('Store the report.')
      await page.keyboard.press('Enter')
      await expect(page.getByTestId('answer')).toContainText('The report is stored.')
      expect(api.sent).toEqual([
        { method: 'PUT', url: '/reports/Bern?days=1', key, body: '{"report":"Sun."}' },
        { method: 'PUT', url: '/reports/S%C3%A3o%20Paulo%2FSul?days=3', key, body: '{"report":"Rain."}' },
      ])
      expect(await page.content()).not.toContain(key)
    } finally {
      await server.dispose()
      await api.close()
    }
  },
)

/** A document of 500 operations. */
function manyOperations(address: string, summaryOf: (at: number) => string) {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const responses = { 200: { description: 'The answer.' } }
  const paths = Object.fromEntries(
    Array.from({ length: 500 }, (_, at) => [
      `/things${at}/{id}`,
      { get: { operationId: `getThing${at}`, summary: summaryOf(at), parameters: [id], responses } },
    ]),
  )
  return { openapi: '3.1.0', info: { title: 'Things', version: '1' }, servers: [{ url: address }], paths }
}

test(
  'S1-26 of a document of 500 operations a person chooses by search; what changes is off until it is looked at',
  deepOnly,
  async ({ page }) => {
    test.setTimeout(180_000)
    page.setDefaultTimeout(20_000)
    let document: object = {}
    const api = await startApi(({ url }) => (url === '/openapi.json' ? document : { at: url }))
    const server = await ownServer({ LOOPWRIGHT_ALLOW_HOSTS: api.host })
    try {
      await server.start()
      const { url } = server
      document = manyOperations(api.url, (at) => `Finds thing ${at}.`)
      await page.goto(`${url}/settings#apis`)
      await page.getByRole('button', { name: 'Add an API' }).click()
      const form = page.getByRole('form', { name: 'Add an API' })
      await field(form, 'Name').fill('things')
      await field(form, 'Address').fill(`${api.url}/openapi.json`)
      await form.getByRole('button', { name: 'Add API' }).click()
      await expect(page.getByText('things was added with 500 operations.')).toBeVisible()

      const agent = await openDrawing(page, url, 'drawn-api', [
        { calls: [{ name: 'things.getThing417', args: { id: 7 } }] },
        { text: 'Found.' },
      ])
      await addPart(page, 'openapi', /^API \(OpenAPI\)/)
      const inspector = inspectorOf(page)
      await field(inspector, 'Name').fill('things')
      await inspector.getByRole('combobox', { name: 'Document' }).selectOption('things')
      await inspector.getByRole('button', { name: `Use ${api.url}` }).click()
      await inspector.getByRole('button', { name: 'Choose operations' }).click()
      const picker = page.getByRole('dialog', { name: 'Operations of Things' })
      await picker.getByRole('textbox', { name: 'Find an operation among 500' }).fill('thing 417')
      await picker.getByRole('checkbox', { name: /getThing417/ }).check()
      await picker.getByRole('button', { name: 'Use these' }).click()
      const chosen = inspector.getByRole('list', { name: 'Chosen operations' })
      await expect(chosen).toContainText('getThing417')
      await expect.poll(async () => (await savedTools(url, agent))[0]).toHaveProperty('operations')

      const ask = async () => {
        const { id } = await call<{ id: string }>(`${url}/api/agents/${agent}/runs`, { input: 'Find it.' })
        const events = await readStream(url, id, 0)
        return events.find(({ type }) => type === 'call.finished')?.data
      }
      expect(await ask()).toMatchObject({ name: 'things.getThing417', status: 'ok' })

      document = manyOperations(api.url, (at) =>
        at === 417 ? 'Finds it in another way.' : `Finds thing ${at}.`,
      )
      await page.goto(`${url}/settings#apis`)
      await page.getByRole('button', { name: 'Read things again from its address' }).click()
      await expect(page.getByText(/things was read again: 1 changed\. Agents do not use/)).toBeVisible()
      expect(await ask()).not.toMatchObject({ status: 'ok' })

      await page.goto(`${url}/agents/${agent}`)
      await page.locator('.react-flow__node', { hasText: '1 operation' }).click()
      await expect(
        inspector.getByText('Off: it has changed in the document since you chose it.'),
      ).toBeVisible()
      await inspector.getByRole('button', { name: 'Look at the change' }).click()
      await expect(inspector.getByText('Finds it in another way.').first()).toBeVisible()
      await inspector.getByRole('button', { name: 'Use the new one' }).click()
      await expect(inspector.getByText('Off: it has changed')).toBeHidden()
      await expect
        .poll(async () => JSON.stringify(await savedTools(url, agent)))
        .toContain('Finds it in another way.')
      expect(await ask()).toMatchObject({ name: 'things.getThing417', status: 'ok' })
    } finally {
      await server.dispose()
      await api.close()
    }
  },
)
