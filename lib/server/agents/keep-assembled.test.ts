import { expect, it } from 'vitest'
import { createBreakers } from '#lib/models/breaker'
import type { Price } from '#lib/spec/model'
import { offline } from '../environment/surroundings.fixture'
import { keepAssembled } from './keep-assembled'

const configOf = (name: string) =>
  JSON.stringify({
    name,
    model: { provider: 'openai', name: 'gpt-x' },
    tools: [{ use: 'builtin', tools: ['math.calculate'] }],
  })

async function assembledBy(made: ReturnType<ReturnType<typeof keepAssembled>>) {
  const assembled = await made
  if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
  return assembled.value
}

it('the runs of one version share its tools and codec, and each of them has the price of its day', async () => {
  let price: Price = { input: 1, output: 2 }
  const breaker = createBreakers({ clock: { monotonic: () => 0 } }).of('openai', 'gpt-x')
  const assemble = keepAssembled({ ...offline, priceOf: () => price, breakerOf: () => breaker })
  const first = await assembledBy(assemble(configOf('a')))
  price = { input: 3, output: 4 }
  const second = await assembledBy(assemble(configOf('a')))
  expect(second.tools).toBe(first.tools)
  expect(second.codec).toBe(first.codec)
  expect([first.price, second.price, second.breaker]).toEqual([{ input: 1, output: 2 }, price, breaker])
  const other = await assembledBy(assemble(configOf('b')))
  expect(other.codec).not.toBe(first.codec)
  expect(other.config.name).toBe('b')
})

it('only the configs that ran last are kept, and one that does not fit is not', async () => {
  const assemble = keepAssembled(offline)
  const first = await assembledBy(assemble(configOf('0')))
  for (let n = 1; n <= 32; n++) await assembledBy(assemble(configOf(String(n))))
  expect((await assembledBy(assemble(configOf('0')))).codec).not.toBe(first.codec)
  expect(await assemble('{')).toMatchObject({ ok: false })
  expect(await assemble('{')).toMatchObject({ ok: false })
})
