import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { wordsOf } from './faults'

const failed = (url: string) => fetch(url).then(String, (error: unknown) => error)

test('an address where nothing listens is named, with what to do about it', async () => {
  const server = http.createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // cast: a TCP server has this form of address
  await new Promise((resolve) => server.close(resolve))
  const error = new Error('Version negotiation probe failed', {
    cause: await failed(`http://127.0.0.1:${port}/`),
  })
  expect(wordsOf(error)).toBe(
    `Nothing answers at 127.0.0.1:${port}. Start the server there, or correct its address.`,
  )
})

test('a name with several addresses is told by the first of them', () => {
  const refused = (address: string) =>
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', address, port: 4321 })
  const all = new AggregateError([refused('::1'), refused('127.0.0.1')])
  expect(wordsOf(new TypeError('fetch failed', { cause: all }))).toContain('Nothing answers at ::1:4321.')
})

test('any other error keeps its words, without those of the package', () => {
  expect(wordsOf(new Error('Version negotiation probe failed: The server sent HTML.'))).toBe(
    'The server sent HTML.',
  )
})
