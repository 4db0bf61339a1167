/** Listens on the address asked for, or says in one sentence why that can not be. */
import type { Server } from 'node:http'
import type { Environment } from './environment/environment'
import { StartError } from './start-error'

/** The port listened on: the one asked for, or any free one for 0. Throws a StartError when it can not be had. */
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
      return new StartError(`Port ${port} is taken: start on another one with PORT=${nextTo(port)} npm start`)
    case 'EACCES':
      return new StartError(
        `Port ${port} needs rights this user lacks: start on another one with PORT=3000 npm start`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(
        `HOST=${host} is no address of this machine: leave HOST away to listen on 127.0.0.1.`,
      )
    default:
      // Whatever else went wrong is told in the system's own words.
      return error
  }
}

/** Another port to try; after the last one there is none. */
function nextTo(port: number): number {
  return port < 65_535 ? port + 1 : 3_001
}
