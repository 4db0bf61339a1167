import { expect, test } from 'vitest'
import { WalledProgram } from './walled-answer'

const signal = new AbortController().signal
const nothing = { ok: false, message: 'nothing to ask' } as const

test('what a process is asked is read when its turn comes, and not while it waits in line', async () => {
  const program = new WalledProgram({
    program: 'json-query-child',
    heapMiB: 64,
    milliseconds: 1_000,
    maxOutputBytes: 1_000,
  })
  const read: number[] = []
  const letGo: (() => void)[] = []
  const ask = (number: number) =>
    program.ask(
      {
        input: async () => {
          read.push(number)
          await new Promise<void>((resolve) => letGo.push(resolve))
          return nothing
        },
      },
      signal,
    )
  const all = [1, 2, 3].map(ask)
  await expect.poll(() => letGo.length).toBe(2)
  expect(read).toEqual([1, 2])
  letGo[0]?.()
  await expect.poll(() => read).toEqual([1, 2, 3])
  for (const go of letGo) go()
  expect(await Promise.all(all)).toEqual([nothing, nothing, nothing])
})
