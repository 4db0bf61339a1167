import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#lib/spec/model'
import { scripted } from './scripted/scripted'
import { chat, local, messages, services } from './wire/clients.fixture'
import { bytes, dataEvents, heard, key, loadClients, type Service, service, sse } from './wire/hear.fixture'

beforeAll(loadClients, 60_000)

const good = dataEvents([
  { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] },
  '[DONE]',
])
const sent = ({ asked: [first] }: Service) => ({
  url: first?.url,
  headers: Object.fromEntries(first?.headers ?? []),
})

describe('where a request goes, as it is told for a copy', () => {
  test.each([
    ...services,
    ['anthropic with a temperature', (context: Service) => messages(context, { temperature: 0 })] as const,
  ])('of %s is what the client really asks', async (_, connect) => {
    const context = service(() => sse([bytes(good)]))
    const client = connect(context)
    await heard(client)
    const { url, headers } = sent(context)
    const told = client.target?.(key)
    expect(told?.url).toBe(url)
    expect(headers).toMatchObject(told?.headers ?? {})
    for (const name of ['authorization', 'x-api-key', 'anthropic-version'])
      expect([name, told?.headers[name]]).toEqual([name, headers[name]])
  })

  test('T42 holds no key but the word it is given for one', () => {
    for (const [, connect] of services) {
      const text = JSON.stringify(connect(service(() => sse([bytes(good)]))).target?.('$THE_KEY'))
      expect(text).toContain('$THE_KEY')
      expect(text).not.toContain(key)
    }
  })

  test('names no key where none is sent, and is unknown where nothing could be asked', () => {
    const at = (given: Endpoint | undefined) => ({
      ...service(() => sse([bytes(good)])),
      endpoint: () => given,
    })
    const lab = { name: 'lab', baseUrl: 'http://127.0.0.1:9/v1' }
    expect(local(at(lab)).target?.('$KEY')).toEqual({
      url: 'http://127.0.0.1:9/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
    })
    expect(chat(at(undefined)).target?.('$KEY')).toBeUndefined()
    expect(
      chat(at({ name: 'openai', baseUrl: 'https://api.openai.com/v1' })).target?.('$KEY'),
    ).toBeUndefined()
  })

  test('is nowhere for what answers within this program', () => {
    const client = scripted.connect(
      scripted.settings.parse({}),
      service(() => sse([])),
    )
    expect(client.target).toBeUndefined()
  })
})
