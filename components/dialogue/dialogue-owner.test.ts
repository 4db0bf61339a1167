import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createRunStore } from '#components/run/run-store'
import { createDialogueOwner, type DialoguePage } from './dialogue-owner'

interface Asked {
  readonly what: string
  readonly body: unknown
  answer(body: object, status?: number): Promise<void>
}

/** Requests in order; each is answered only when the test says so. */
let asked: Asked[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit = {}) => {
    return new Promise<Response>((resolve) =>
      asked.push({
        what: `${method} ${path}`,
        body: typeof body === 'string' ? JSON.parse(body) : undefined,
        answer: async (given, status = 200) => {
          resolve(Response.json(given, { status }))
          // Everything that follows from the answer happens within this turn of the event loop.
          await new Promise((next) => setTimeout(next))
        },
      }),
    )
  })
})
afterEach(() => vi.unstubAllGlobals())

const created = { id: 'run_1', threadId: 't1', status: 'queued' }

/** A page that keeps the thread in its address, as the chat does, unless `hasAddress` is false. */
function pageOf({ hasAddress = true, ...more }: Partial<DialoguePage> & { hasAddress?: boolean } = {}) {
  const run = createRunStore()
  const owner = createDialogueOwner('agent_1', run)
  const place = { address: null as string | null, refreshed: [] as string[] }
  owner.setPage({
    rules: { canAsk: true, savesFirst: more.save !== undefined },
    refresh: (threadId) => place.refreshed.push(threadId),
    ...(hasAddress && {
      address: {
        read: () => place.address,
        keep: (id) => {
          place.address = id
        },
      },
    }),
    ...more,
  })
  const close = owner.open()
  const write = (text: string) => {
    owner.happen({ type: 'typed', text })
    owner.happen({ type: 'sent' })
  }
  return { run, owner, place, close, write }
}

it('a question is asked, its run followed, and its thread kept in the address', async () => {
  const { run, owner, place, close, write } = pageOf()
  write('How much?')
  expect(run.store.getState().connection).toBe('starting')
  expect(asked.map(({ what, body }) => [what, body])).toEqual([
    ['POST /api/agents/agent_1/runs', { input: 'How much?' }],
  ])
  await asked[0]?.answer(created, 201)
  expect(asked.at(-1)?.what).toBe('GET /api/runs/run_1/events')
  expect(run.store.getState().runId).toBe('run_1')
  expect(place).toEqual({ address: 't1', refreshed: ['t1'] })
  expect(owner.store.getState().question).toMatchObject({ stage: 'begun', runId: 'run_1' })
  close()
})

it('an answer that comes after the address has changed is not followed', async () => {
  const { run, place, close, write } = pageOf()
  write('How much?')
  place.address = 't9'
  await asked[0]?.answer(created, 201)
  expect(run.store.getState()).toMatchObject({ runId: null, connection: 'idle' })
  expect(place).toEqual({ address: 't9', refreshed: ['t1'] })
  expect(asked).toHaveLength(1)
  close()
})

it('a question asked before the page has followed its address goes to the thread of the address', () => {
  const { owner, place, close, write } = pageOf()
  place.address = 't1'
  owner.followAddress()
  place.address = null
  write('Something else.')
  expect(asked[0]?.body).toEqual({ input: 'Something else.' })
  close()
})

it('an answer that comes after the page was closed is not followed, and the lists tell of it', async () => {
  const { run, place, close, write } = pageOf()
  write('How much?')
  close()
  await asked[0]?.answer(created, 201)
  expect(run.store.getState().runId).toBeNull()
  expect(place).toEqual({ address: null, refreshed: ['t1'] })
})

it('files make a thread, are uploaded to it, and go along with the question', async () => {
  const { owner, close, write } = pageOf()
  owner.happen({ type: 'filesGiven', files: [new File(['hello'], 'notes.txt')] })
  await asked[0]?.answer({ id: 't1' }, 201)
  expect(asked.map(({ what }) => what)).toEqual([
    'POST /api/threads',
    'POST /api/threads/t1/files?name=notes.txt',
  ])
  await asked[1]?.answer({ id: 'file_1' }, 201)
  write('Read it.')
  expect(asked[2]?.body).toEqual({ input: 'Read it.', threadId: 't1', files: ['file_1'] })
  close()
})

it('a file says why it was not taken', async () => {
  const { owner, close } = pageOf()
  owner.happen({ type: 'left', threadId: 't1' })
  owner.happen({ type: 'filesGiven', files: [new File(['hello'], 'notes.txt')] })
  await asked[0]?.answer({ error: { code: 'not_found', message: 'No thread.' } }, 404)
  expect(owner.store.getState().files).toMatchObject([
    { state: 'failed', reason: 'This thread no longer exists. Start a new one.' },
  ])
  close()
})

it('a save that fails keeps the run from starting', async () => {
  const { run, owner, close, write } = pageOf({ hasAddress: false, save: () => Promise.resolve(false) })
  write('How much?')
  await vi.waitFor(() => expect(owner.store.getState().draft).toBe('How much?'))
  expect(run.store.getState().connection).toBe('idle')
  expect(asked).toEqual([])
  close()
})

it('Stop cancels a run that has no id yet as soon as it has one', async () => {
  const { run, close, write } = pageOf()
  write('How much?')
  await run.actions.cancel()
  expect(asked).toHaveLength(1)
  await asked[0]?.answer(created, 201)
  expect(asked.map(({ what }) => what)).toContain('POST /api/runs/run_1/cancel')
  close()
})

it('a refusal is shown, and the question is back in the field', async () => {
  const { run, owner, close, write } = pageOf()
  write('How much?')
  await asked[0]?.answer({ error: { code: 'not_compiled', message: 'It has errors.' } }, 409)
  expect(run.store.getState()).toMatchObject({ connection: 'failed', error: { code: 'not_compiled' } })
  expect(owner.store.getState()).toMatchObject({ draft: 'How much?', question: null })
  close()
})

it('of two earlier threads asked for, the one asked for last is shown', async () => {
  const { owner, run, close } = pageOf({ hasAddress: false })
  const first = owner.openThread('t1')
  const second = owner.openThread('t2')
  await asked[1]?.answer({ id: 't2', runs: [{ id: 'run_2' }] })
  await asked[0]?.answer({ id: 't1', runs: [{ id: 'run_1' }] })
  expect(await Promise.all([first, second])).toEqual([false, true])
  expect(run.store.getState().runId).toBe('run_2')
  close()
})
