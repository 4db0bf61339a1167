/** Listens on the requested address, or explains in one sentence why it cannot. */
import type { Server } from 'node:http'
import type { Environment } from './environment/environment'
import { StartError } from './start-error'

/**
 * Resolves with the port: the requested one, or any free one for 0. Throws a StartError when it is not
 * available.
 */
export function listen(server: Server, { host, port }: Pick<Environment, 'host' | 'port'>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(inWords(error, host, port)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

function inWords(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is in use. Start on another port with: PORT=${nextTo(port)} npm start`,
      )
    case 'EACCES':
      return new StartError(
        `Port ${port} requires rights that this user does not have. Start on another port with: PORT=3000 npm start`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `HOST=${host} is not an address of this machine. Unset HOST to listen on 127.0.0.1.`,
      )
    default:
      // Any other error keeps the message of the system.
      return error
  }
}

/** Another port to suggest; after the last one, a fixed port. */
function nextTo(port: number): number {
  return port < 65_535 ? port + 1 : 3_001
}
