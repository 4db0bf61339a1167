import { afterEach, beforeEach, expect, test } from 'vitest'
import { ask, type House, openHouse } from '#lib/server/house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

test('HEAD is answered as GET, and refused where there is no GET', async () => {
  expect((await ask('/api/agents', { method: 'HEAD' })).status).toBe(200)
  const refused = await ask('/api/compile', { method: 'HEAD' })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await refused.json()).error.message).toBe('/api/compile does not support HEAD. It supports POST.')
})

test('a path that is no route is a 404 by every method but OPTIONS, which says which there could be', async () => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect((await ask('/api/no-such-route', { method })).status).toBe(404)
  const answer = await ask('/api/no-such-route', { method: 'OPTIONS' })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, PUT, PATCH, DELETE'])
})

test('a parameter of a path is decoded once', async () => {
  const name = 'a%41 ü+b'
  const answer = await ask('/api/databases/{name}', { method: 'DELETE', params: { name } })
  expect((await answer.json()).error.message).toBe(`No database is registered as ${name}.`)
})

test('a number in a path is read before the body, and what is no number is not found', async () => {
  const answer = await ask('/api/agents/{id}/versions/{version}/restore', {
    method: 'POST',
    params: { id: 'x', version: '1.5' },
    body: '{"broken',
  })
  expect([answer.status, (await answer.json()).error.message]).toEqual([404, 'There is no such version.'])
})

test('an address that does not decode is refused', async () => {
  const answer = await ask('/api/threads/{id}/files/{...path}', { params: { id: 'x', path: '%E0%A4%A' } })
  expect([answer.status, (await answer.json()).error.message]).toEqual([
    400,
    'The address is not well-formed.',
  ])
})
