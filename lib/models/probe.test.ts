import { beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#lib/spec/model'
import { anthropic } from './anthropic/anthropic'
import { openai } from './openai/openai'
import { openaiCompatible } from './openai/openai-compatible'
import { key, loadClients, type Service, service } from './wire/hear.fixture'

beforeAll(loadClients, 60_000)

const endpoint: Endpoint = { name: 'lab', baseUrl: 'https://models.example/v1', key }
const never = new AbortController().signal

function probe(provider: Pick<typeof openai, 'probe'>, context: Service, at = endpoint, signal = never) {
  return provider.probe?.(at, context, signal)
}

describe('a probe', () => {
  test('lists the models, sorted, each once', async () => {
    const context = service(() =>
      Response.json({ object: 'list', data: [{ id: 'b' }, { id: 'a' }, { id: 'b' }, {}, null] }),
    )
    expect(await probe(openai, context)).toEqual({ ok: true, models: ['a', 'b'] })
    expect(context.asked).toMatchObject([{ method: 'GET', url: 'https://models.example/v1/models' }])
    expect(context.asked[0]?.headers.get('authorization')).toBe(`Bearer ${key}`)
  })

  test.each([[{ models: [{ name: 'x' }] }], [[{ id: 'x' }]]])(
    'reads the lists of others too: %j',
    async (list) => {
      expect(
        await probe(
          openaiCompatible,
          service(() => Response.json(list)),
        ),
      ).toEqual({ ok: true, models: ['x'] })
    },
  )

  test('turns the pages, but not for ever, and keeps at most a thousand', async () => {
    let page = 0
    const context = service(() => {
      const data = Array.from({ length: 400 }, (_, at) => ({ id: `m-${page}-${at}` }))
      page += 1
      return Response.json({ data, has_more: true, last_id: `last ${page}` })
    })
    const probed = await probe(anthropic, context)
    expect(probed?.ok === true && probed.models.length).toBe(1_000)
    expect(context.asked.map((each) => new URL(each.url).search)).toEqual([
      '?limit=1000',
      '?limit=1000&after_id=last%201',
      '?limit=1000&after_id=last%202',
    ])
  })

  test.each([
    [() => new Response('{"error":{"message":"no"}}', { status: 401 }), 'auth'],
    [() => new Response('', { status: 404 }), 'not_found'],
    [() => new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }), 'protocol'],
    [() => Response.json({ status: 'ok' }), 'protocol'],
    [() => Promise.reject(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), 'connection'],
  ])('that fails says why', async (answer, code) => {
    for (const provider of [openai, openaiCompatible, anthropic])
      expect(await probe(provider, service(answer))).toMatchObject({ ok: false, fault: { code } })
  })

  test('asks nobody without a key that a service needs, and ends when it is cancelled', async () => {
    const context = service(() => new Promise<Response>(() => {}))
    const at: Endpoint = { name: 'openai', baseUrl: 'https://api.openai.com/v1' }
    expect(await probe(openai, context, at)).toMatchObject({ ok: false, fault: { code: 'settings' } })
    expect(context.asked).toEqual([])
    expect(await probe(openai, context, endpoint, AbortSignal.abort())).toMatchObject({
      ok: false,
      fault: { code: 'aborted' },
    })
  })
})
