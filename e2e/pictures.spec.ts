/** Pictures and documents that a person attaches: shown small, sent to a model that sees them, read by tools. */
import { crc32, deflateSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { call, createAgent, scriptedConfig } from './api'
import { test } from './journey'
import { type ModelServer, startModelServer } from './model-server/model-server'
import { deepOnly } from './test-depth'

let models: ModelServer
test.beforeAll(async () => {
  models = await startModelServer({
    behaviour: ({ body }) => ({
      say: {
        text: JSON.stringify(body).includes('data:image/png;base64,')
          ? 'I see a gradient.'
          : 'I see nothing.',
      },
    }),
  })
})
test.afterAll(() => models?.close())

/** A picture of a gradient, as a PNG file. */
function png(width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * (width * 3 + 1) + 1 + x * 3
      rows[at] = 255 - Math.round((x / width) * 200)
      rows[at + 1] = Math.round((y / height) * 180)
      rows[at + 2] = Math.round((x / width) * 220)
    }
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const mark = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    mark,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function attach(page: Page, name: string, mimeType: string, buffer: Buffer) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await chooser).setFiles({ name, mimeType, buffer })
}

test('E-46 a picture in the chat is shown small and goes to a model that sees pictures', async ({
  page,
  baseURL,
}) => {
  const url = baseURL ?? ''
  await call(`${url}/api/providers/local`, { baseUrl: models.openaiUrl }, { method: 'PUT', status: 200 })
  const model = { provider: 'openai-compatible', endpoint: 'local', name: 'seeing', pictures: 'send' }
  const agent = await createAgent(url, { ...scriptedConfig('seeing', []), model })
  await page.goto(`/agents/${agent}/chat`)
  await attach(page, 'gradient.png', 'image/png', png(640, 400))
  const waiting = page.getByRole('list', { name: 'Files to send' })
  await expect(waiting.getByRole('img', { name: 'gradient.png' })).toBeVisible()
  await waiting.getByRole('button', { name: 'Describe gradient.png' }).click()
  const asked = page.getByRole('dialog', { name: 'What is gradient.png?' })
  await asked.getByRole('textbox', { name: 'Description' }).fill('The colours of a spring morning')
  await asked.getByRole('button', { name: 'Save' }).click()
  await expect(asked).toBeHidden()
  await expect(waiting.getByText('The colours of a spring morning')).toBeVisible()
  await page.getByRole('textbox', { name: 'Question' }).fill('What do you see?')
  await page.getByRole('button', { name: /^Send/ }).click()
  await expect(page.getByTestId('answer')).toHaveText('I see a gradient.')
  const shown = page
    .getByRole('list', { name: 'Attached files' })
    .getByRole('img', { name: 'The colours of a spring morning' })
  await expect(shown).toBeVisible()
  expect(await shown.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(640)
  expect(models.requests.every(({ refusal }) => refusal === undefined)).toBe(true)
})

test(
  'E-46 an SVG that a run made is shown as a picture, in which nothing runs',
  deepOnly,
  async ({ page, baseURL }) => {
    const content =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160" onload="top.hit=1"><script>top.hit=1</script><rect width="60" height="90" fill="#36c"/></svg>'
    const turns = [
      { calls: [{ name: 'files.create', args: { path: 'plot.svg', content } }] },
      { text: 'Here it is.' },
    ]
    const tools = [{ use: 'builtin', tools: ['files.create'] }]
    const agent = await createAgent(baseURL ?? '', { ...scriptedConfig('plotter', turns), tools })
    await page.goto(`/agents/${agent}/chat`)
    await page.getByRole('textbox', { name: 'Question' }).fill('Draw it.')
    await page.getByRole('button', { name: /^Send/ }).click()
    const shown = page.getByRole('list', { name: 'Created files' }).getByRole('img', { name: 'plot.svg' })
    await expect(shown).toBeVisible()
    expect(await shown.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(300)
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    await expect(page.locator('svg rect[fill="#36c"]')).toHaveCount(0)
  },
)
