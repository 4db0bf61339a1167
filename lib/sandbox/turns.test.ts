import { expect, it } from 'vitest'
import { TurnQueue, turnIn } from './turns'

const free = () => new AbortController().signal

it('turns go to so many at once, then in the order of coming', async () => {
  const turns = new TurnQueue(2)
  const order: number[] = []
  const first = await turns.take(free())
  await turns.take(free())
  const third = turns.take(free()).then((back) => {
    order.push(3)
    return back
  })
  const fourth = turns.take(free()).then((back) => {
    order.push(4)
    return back
  })
  await Promise.resolve()
  expect(order).toEqual([])
  first?.()
  const back = await third
  expect(order).toEqual([3])
  back?.()
  await fourth
  expect(order).toEqual([3, 4])
})

it('who is aborted leaves the line, and the turn goes to the next', async () => {
  const turns = new TurnQueue(1)
  const abort = new AbortController()
  const first = await turns.take(free())
  const leaving = turns.take(abort.signal)
  const staying = turns.take(free())
  abort.abort()
  expect(await leaving).toBeUndefined()
  first?.()
  expect(await staying).toBeTypeOf('function')
  expect(await turns.take(AbortSignal.abort())).toBeUndefined()
})

it('who has had a turn comes before all who have not, and a turn is given back only once', async () => {
  const turns = new TurnQueue(1)
  const first = turns.takeNow()
  expect(turns.takeNow()).toBeUndefined()
  const order: string[] = []
  const wait = async (name: string, isReturning: boolean) => {
    const back = await turns.take(free(), { isReturning })
    order.push(name)
    back?.()
    back?.()
  }
  const all = [wait('new', false), wait('returning', true), wait('newer', false)]
  first?.()
  await Promise.all(all)
  expect(order).toEqual(['returning', 'new', 'newer'])
  expect(turns.takeNow()).toBeTypeOf('function')
  expect(turns.takeNow()).toBeUndefined()
})

it('who waits is told how many are ahead, and again whenever that changes', async () => {
  const turns = new TurnQueue(1)
  const first = turns.takeNow()
  const told: number[] = []
  const leaving = new AbortController()
  const others = [turns.take(free()), turns.take(leaving.signal)]
  const last = turns.take(free(), { ahead: (count) => told.push(count) })
  expect(told).toEqual([2])
  leaving.abort()
  expect(told).toEqual([2, 1])
  first?.()
  const second = await others[0]
  expect(told).toEqual([2, 1, 0])
  second?.()
  expect(await last).toBeTypeOf('function')
  expect(told).toEqual([2, 1, 0])
})

it('nobody waits for a sandbox for ever, and who is aborted meanwhile keeps no turn', async () => {
  const turns = new TurnQueue(1)
  const first = turns.takeNow()
  expect(await turnIn(turns, free(), { longestMs: 20 })).toBe('busy')
  const abort = new AbortController()
  const waiting = turnIn(turns, abort.signal, {
    inLine: async (_, wait) => {
      const got = await wait(() => undefined)
      // The call is stopped while it takes its place among the working calls again.
      abort.abort()
      return got
    },
  })
  first?.()
  expect(await waiting).toBe('aborted')
  expect(await turnIn(turns, free())).toBeTypeOf('function')
})
