/** A listener on this machine that the tests of walls try to reach from inside. */
import net from 'node:net'

export interface LocalListener {
  readonly port: number
  close(): void
}

/** It ends every connection at once. Rejects when the system has no port. */
export function listenLocally(): Promise<LocalListener> {
  const server = net.createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the listener has no port'))
      else resolve({ port: address.port, close: () => server.close() })
    })
  })
}
