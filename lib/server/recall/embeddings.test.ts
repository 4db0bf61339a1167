/** How texts get their vectors in the background, from a model that refuses, is busy, is slow or is not there. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { agentRow, queued, runRow, type TemporaryStores, temporaryStores, threadRow } from '#db/rows.fixture'
import { embedTexts } from '#lib/models/openai/embeddings'
import type { EventOf } from '#lib/spec/event'
import type { Embedded, Provider } from '#lib/spec/model'
import { Database } from '#lib/sqlite/driver'
import { createEmbeddings, type Embeddings } from './embeddings'
import { openVectorService } from './vector-service.fixture'

const model = { provider: 'vectors', name: 'small' }
const signal = () => new AbortController().signal
const vectorsFor = (texts: readonly string[]): Embedded => ({ ok: true, vectors: texts.map(() => [1, 0]) })
const refusal: Embedded = {
  ok: false,
  message: 'The text is too long for this model.',
  cause: 'refused',
}

let place: TemporaryStores
let embeddings: Embeddings
/** What the service says to each request. */
let answer: (texts: readonly string[], signal: AbortSignal) => Embedded | Promise<Embedded>
let requests: (readonly string[])[]
let seq = 1

beforeEach(() => {
  place = temporaryStores()
  const { stores } = place
  answer = vectorsFor
  requests = []
  seq = 1
  stores.agents.insert(agentRow({ id: 'agent_1', name: 'one' }))
  stores.runs.insert(runRow({ agentId: 'agent_1', user: 'ada' }), queued(), threadRow({ agentId: 'agent_1' }))
  stores.knowledge.insert({ id: 'col_1', name: 'handbook', description: '', createdAt: 1 })
  const part = {
    id: 'openai',
    embed: async (_: unknown, { texts }: { texts: readonly string[] }, __: unknown, at: AbortSignal) => {
      requests.push(texts)
      return answer(texts, at)
    },
  } as unknown as Provider // cast: only these two are used here
  embeddings = createEmbeddings({
    settings: stores.settings,
    stores: [stores.memories, stores.knowledge],
    parts: [part],
    providers: () => [{ name: 'vectors', kind: 'openai' }],
    endpoint: (name) => ({ name, baseUrl: 'http://127.0.0.1:1' }),
    fetch,
    report: (error) => {
      throw error
    },
  })
})
afterEach(() => {
  embeddings.close()
  place.end()
})

function add(texts: readonly string[], id = `file_${seq}`) {
  seq += 1
  const file = { id, collectionId: 'col_1' }
  const facts = { name: `${id}.md`, kind: 'markdown' as const, bytes: 1, chars: 1, createdAt: 1 }
  place.stores.knowledge.insertFile({ ...file, ...facts, passages: null })
  place.stores.knowledge.addPassages(
    file,
    texts.map((text) => ({ place: '', text })),
  )
  place.stores.knowledge.finishFile(id, texts.length)
}
function remember(text: string): string {
  seq += 1
  const id = `mem_${seq}`
  const head = { type: 'memory.recorded' as const, seq, at: 5, step: 1, node: 'tools/0', agent: 'agent_1' }
  const event: EventOf<'memory.recorded'> = { ...head, entries: [{ id, text }] }
  place.stores.runs.append([{ runId: 'run_1', event, json: JSON.stringify(event) }])
  return id
}
const isRead = (count: number) =>
  vi.waitFor(() => expect([embeddings.view().done, embeddings.view().texts]).toEqual([count, count]))

describe('S4-07 texts get their vectors', () => {
  it('although the model refuses one of them, which is named with the reason and read again when asked', async () => {
    const texts = Array.from({ length: 70 }, (_, at) => `Text ${at}.`)
    add(texts)
    answer = (given) => (given.includes('Text 37.') ? refusal : vectorsFor(given))
    await embeddings.save({ model }, signal())
    await isRead(70)
    expect(embeddings.view()).toMatchObject({
      refused: { count: 1, first: [{ text: 'Text 37.', problem: 'The text is too long for this model.' }] },
    })
    expect(embeddings.view().problem).toBeUndefined()
    const alone = requests.filter((given) => given.length === 1 && given[0]?.startsWith('Text '))
    expect(alone.length).toBeLessThan(4)
    answer = vectorsFor
    await embeddings.save({ model }, signal())
    await vi.waitFor(() => expect(embeddings.view().refused).toBeUndefined())
    await isRead(70)
  })

  it('and none counts as refused while the service is busy or not there', async () => {
    await embeddings.save({ model }, signal())
    add(['One.', 'Two.'])
    answer = () => ({ ok: false, message: 'Too many requests.' })
    embeddings.wake()
    await vi.waitFor(() => expect(embeddings.view().problem).toBe('Too many requests.'))
    answer = () => ({ ok: false, message: 'It cannot be reached.', cause: 'unanswered' })
    embeddings.wake()
    await vi.waitFor(() => expect(embeddings.view().problem).toBe('It cannot be reached.'))
    expect(embeddings.view()).toMatchObject({ done: 0, texts: 2 })
    expect(embeddings.view().refused).toBeUndefined()
    answer = vectorsFor
    embeddings.wake()
    await isRead(2)
    expect(embeddings.view().problem).toBeUndefined()
  })

  it.each(['refused', 'unanswered'] as const)('although one request fails by chance (%s)', async (cause) => {
    await embeddings.save({ model }, signal())
    add(['One.'])
    let failures = 0
    answer = (given) => {
      if (given.includes('One.') && failures++ === 0) return { ok: false, message: 'By chance.', cause }
      return vectorsFor(given)
    }
    embeddings.wake()
    await vi.waitFor(() => expect(failures).toBeGreaterThan(0))
    if (cause === 'unanswered') {
      await vi.waitFor(() => expect(embeddings.view().problem).toBe('By chance.'))
      embeddings.wake()
    }
    await isRead(1)
    expect(embeddings.view().refused).toBeUndefined()
  })

  it('although its connection always breaks for one of them, which is read later', async () => {
    const texts = Array.from({ length: 70 }, (_, at) => `Text ${at}.`)
    add(texts)
    const service = await openVectorService((given) => given.includes('Text 3.'))
    try {
      answer = (given, at) =>
        embedTexts({ name: 'vectors', baseUrl: service.url }, { model: 'small', texts: given }, { fetch }, at)
      await embeddings.save({ model }, signal())
      await vi.waitFor(() =>
        expect(embeddings.view()).toMatchObject({
          done: 69,
          problem: expect.stringContaining('cannot be reached'),
        }),
      )
      const alone = requests.filter((given) => given.length === 1 && given[0] === 'Text 3.')
      expect(alone).toHaveLength(1)
      expect(embeddings.view().refused).toBeUndefined()
      service.breaks = () => false
      embeddings.wake()
      await isRead(70)
      expect(embeddings.view().problem).toBeUndefined()
    } finally {
      await service.close()
    }
  })

  it('only so many at a time are tried at a service that answers to none of them, and all get their turn', async () => {
    const bad = Array.from({ length: 7 }, (_, at) => `Bad ${at}.`)
    add([...bad, 'Good.'])
    answer = (given) =>
      given.some((each) => each.startsWith('Bad'))
        ? { ok: false, message: 'It broke off.', cause: 'unanswered' }
        : vectorsFor(given)
    const alone = () =>
      requests.filter(([text, more]) => more === undefined && text?.startsWith('Bad')).flat()
    await embeddings.save({ model }, signal())
    await vi.waitFor(() => expect(alone()).toEqual(bad.slice(0, 3)))
    await vi.waitFor(() => expect(embeddings.view().problem).toBe('It broke off.'))
    expect(embeddings.view().done).toBe(0)
    embeddings.wake()
    await vi.waitFor(() => expect(alone()).toEqual(bad.slice(0, 6)))
    embeddings.wake()
    await vi.waitFor(() => expect(embeddings.view().done).toBe(1))
    expect(alone()).toEqual(bad)
  })

  it('and one that never gets an answer is tried less and less often, until there are new texts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      add(['Bad.', 'Good.'])
      answer = (given) =>
        given.includes('Bad.')
          ? { ok: false, message: 'It broke off.', cause: 'unanswered' }
          : vectorsFor(given)
      const tries = () => requests.filter((given) => given.includes('Bad.') && given.length === 1).length
      await embeddings.save({ model }, signal())
      await vi.advanceTimersByTimeAsync(0)
      expect([tries(), embeddings.view().done]).toEqual([1, 1])
      await vi.advanceTimersByTimeAsync(24 * 3_600_000)
      const inOneDay = tries()
      expect(inOneDay).toBeGreaterThan(24 * 5)
      expect(inOneDay).toBeLessThan(24 * 6 + 10)
      add(['More.'])
      embeddings.wake()
      await vi.advanceTimersByTimeAsync(31_000)
      expect(embeddings.view().done).toBe(2)
      expect(tries()).toBe(inOneDay + 2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('none of many is asked for one by one while the whole service is down', async () => {
    await embeddings.save({ model }, signal())
    requests = []
    answer = () => ({ ok: false, message: 'It cannot be reached.', cause: 'unanswered' })
    add(Array.from({ length: 70 }, (_, at) => `Text ${at}.`))
    embeddings.wake()
    await vi.waitFor(() => expect(embeddings.view().problem).toBe('It cannot be reached.'))
    expect(requests.map((given) => given.length)).toEqual([32, 1])
  })

  it('of their newest words: one that is changed while the model reads it is read again', async () => {
    const id = remember('Ada likes tea.')
    answer = (given) => {
      if (given.includes('Ada likes tea.')) place.stores.memories.edit('agent_1', id, 'Ada likes cocoa.', 9)
      return vectorsFor(given)
    }
    await embeddings.save({ model }, signal())
    await isRead(1)
    expect(requests.at(-1)).toEqual(['Ada likes cocoa.'])
  })

  it('once, although a text was cut through an emoji, here or by an earlier version', async () => {
    remember('Ada likes \ud83d')
    remember('Ada likes \ud83d\ude00.')
    add(['A passage \ud83d'])
    // Half an emoji as earlier versions stored it: bytes that are read as other characters.
    const client = new Database(place.file)
    client.exec("update memories set text = cast(x'41eda0bd' as text) where n = 2")
    client.close()
    await embeddings.save({ model }, signal())
    await isRead(3)
    expect(requests.slice(1).flat()).toHaveLength(3)
    expect(requests.flat().every((text) => text.isWellFormed())).toBe(true)
  })

  it('and a long one is cut between characters', async () => {
    add([`${'x'.repeat(5_999)}\ud83d\ude00`])
    await embeddings.save({ model }, signal())
    await isRead(1)
    expect(requests.at(-1)).toEqual(['x'.repeat(5_999)])
  })

  it('but what the store does not take is not asked for again and again', async () => {
    remember('Ada likes tea.')
    add(['A passage.'])
    const { memories } = place.stores
    const put = vi.spyOn(memories, 'putVectors').mockReturnValue(0)
    await embeddings.save({ model }, signal())
    await vi.waitFor(() => expect(embeddings.view().done).toBe(1))
    expect(requests.flat().filter((text) => text === 'Ada likes tea.')).toHaveLength(1)
    put.mockRestore()
    embeddings.wake()
    await isRead(2)
  })

  it('also when they are changed after the work has passed them by', async () => {
    const id = remember('Ada likes tea.')
    add(['A passage.'])
    answer = (given) => {
      if (given.includes('A passage.') && requests.length < 4) {
        place.stores.memories.edit('agent_1', id, 'Ada likes cocoa.', 9)
        embeddings.wake()
      }
      return vectorsFor(given)
    }
    await embeddings.save({ model }, signal())
    await isRead(2)
    expect(requests.at(-1)).toEqual(['Ada likes cocoa.'])
  })
})

it('S4-07 a search that is given up is no fault of the service, and one that fails is until the next succeeds', async () => {
  await embeddings.save({ model }, signal())
  const leaving = new AbortController()
  answer = (_, at) =>
    new Promise((resolve) => at.addEventListener('abort', () => resolve({ ok: false, message: 'Left.' })))
  const asked = embeddings.question('tea?', leaving.signal)
  leaving.abort()
  expect(await asked).toBeUndefined()
  expect(embeddings.view().problem).toBeUndefined()
  answer = () => ({ ok: false, message: 'It cannot be reached.' })
  await embeddings.question('tea?', signal())
  expect(embeddings.view().problem).toBe('It cannot be reached.')
  answer = vectorsFor
  expect((await embeddings.question('tea?', signal()))?.vector).toHaveLength(2)
  expect(embeddings.view().problem).toBeUndefined()
})
