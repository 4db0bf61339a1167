import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen } from './listen'

const host = '127.0.0.1'
const open: { close(): unknown }[] = []
afterEach(() => {
  for (const each of open.splice(0)) each.close()
})

/** Listens on the port, so that it is taken; resolves with its number. */
function taken(port: number): Promise<number> {
  const server = createSocketServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(port))
    server.listen(port, host, () => {
      open.push(server)
      resolve((server.address() as AddressInfo).port) // cast: a server on a TCP port has such an address
    })
  })
}

function refusal(port: number): Promise<string> {
  return listen(createServer(), { host, port }).then(
    () => 'it listens',
    (error: Error) => error.message,
  )
}

test('any free port is listened on for 0, and told', async () => {
  const server = createServer()
  open.push(server)
  expect(await listen(server, { host, port: 0 })).toBe((server.address() as AddressInfo).port) // cast: as above
})

test('of a port that is taken, one that exists is advised in its place', async () => {
  const port = await taken(0)
  expect(await refusal(port)).toBe(
    `Port ${port} is in use. Start on another port with: PORT=${port + 1} npm start`,
  )
  expect(await refusal(await taken(65_535))).toBe(
    'Port 65535 is in use. Start on another port with: PORT=3001 npm start',
  )
})
