/** How pieces of a stream become batches, however the computer's time passes between them. */
import { expect, it } from 'vitest'
import { Feed, type StreamPiece } from './feed'

/** A feed whose time is set by hand; `pass` lets milliseconds go by and acts what was due. */
function feedWithTime() {
  let now = 0
  let due: { at: number; act: () => void }[] = []
  const feed = new Feed<StreamPiece>({
    now: () => now,
    monotonic: () => now,
    sleep: () => Promise.reject(new Error('not used')),
    after: (ms, act) => {
      const one = { at: now + ms, act }
      due.push(one)
      return () => {
        due = due.filter((each) => each !== one)
      }
    },
  })
  const pass = (ms: number) => {
    now += ms
    const ready = due.filter(({ at }) => at <= now)
    due = due.filter(({ at }) => at > now)
    for (const { act } of ready) act()
  }
  const ready = async () => {
    const pieces: StreamPiece[] = []
    while (!feed.isEmpty) pieces.push(await feed.take())
    return pieces
  }
  return { feed, pass, ready }
}

const words: StreamPiece = { type: 'text.delta', text: 'I look.' }
const part = (argsText: string, callId = 'call_1_1'): StreamPiece => {
  return { type: 'call.delta', callId, name: 'look', argsText }
}

it.each([0, 20, 40, 500])(
  'the name of a call and its arguments are one piece, %s ms after the text',
  async (ms) => {
    const { feed, pass, ready } = feedWithTime()
    feed.piece(words)
    pass(ms)
    feed.piece(part(''))
    feed.piece(part('{"at":'))
    feed.piece(part('1}'))
    pass(40)
    const pieces = await ready()
    expect(pieces[0]).toEqual(words)
    expect(pieces[1]).toEqual(part(ms < 40 ? '{"at":1}' : '{"at":'))
  },
)

it('a name without arguments comes through at once as the first piece, and later after one batch', async () => {
  const { feed, pass, ready } = feedWithTime()
  feed.piece(part(''))
  expect(await ready()).toEqual([part('')])
  pass(500)
  feed.piece(part('', 'call_1_2'))
  expect(await ready()).toEqual([])
  pass(40)
  expect(await ready()).toEqual([part('', 'call_1_2')])
})

it('what follows a name is not held back longer than without it', async () => {
  const { feed, pass, ready } = feedWithTime()
  feed.piece(words)
  pass(500)
  feed.piece(part(''))
  feed.piece(words)
  expect(await ready()).toEqual([words, part(''), words])
  pass(10)
  feed.piece(words)
  expect(await ready()).toEqual([])
  pass(30)
  expect(await ready()).toEqual([words])
})
