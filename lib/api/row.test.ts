import { expect, test } from 'vitest'
import { z } from 'zod'
import { events, nothing, reply, row } from './row'

const does = 'Nothing.'
const body = z.strictObject({ size: z.number() })
const answer = z.strictObject({ name: z.string() })

test('a row has its method and path, and what was given', () => {
  const { method, path, gives } = row('POST /api/a/{id}', {
    does,
    body,
    numbers: { id: 'There is no such number.' },
    gives: { 201: answer },
    handle: (input) => ({ name: (input.params.id + input.body.size).toFixed() }),
  })
  expect([method, path, gives]).toEqual(['POST', '/api/a/{id}', { 201: answer }])
})

test('the compiler refuses what does not fit: each line below must be an error', () => {
  const rows = [
    // @ts-expect-error an answer that is not of its schema
    row('GET /api/a', { does, gives: { 200: answer }, handle: () => ({ name: 1 }) }),
    // @ts-expect-error an answer where none is given
    row('DELETE /api/a', { does, gives: { 204: nothing }, handle: () => 'gone' }),
    // @ts-expect-error a parameter that is not in the path
    row('GET /api/a/{id}', { does, gives: { 200: answer }, handle: ({ params }) => ({ name: params.name }) }),
    row('POST /api/a', {
      does,
      body,
      gives: { 200: answer },
      // @ts-expect-error a key that is not in the body
      handle: (input) => ({ name: input.body.name }),
    }),
    // @ts-expect-error a status that the route does not give
    row('GET /api/a', { does, gives: { 200: events(), 204: nothing }, handle: () => reply(201, undefined) }),
    // @ts-expect-error a method that no route has
    row('PATCH /api/a', { does, gives: { 204: nothing }, handle: () => undefined }),
  ]
  expect(rows).toHaveLength(6)
})
