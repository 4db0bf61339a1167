import { expect, it } from 'vitest'
import { Turns } from './turns'

const free = () => new AbortController().signal

it('turns go to so many at once, then in the order of coming', async () => {
  const turns = new Turns(2)
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
  const turns = new Turns(1)
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
