/** A PostgreSQL server of its own for a test: on loopback, with a fresh data folder, ended by its process. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'

export interface PostgresServer {
  readonly port: number
  /** The superuser that made it. */
  readonly boss: { readonly user: string; readonly password: string }
  end(): Promise<void>
}

/** Nothing listens yet, the connection was cut, or the database is starting up. */
const notYet = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', '57P03'])

const boss = { user: 'boss', password: 'the-password-of-the-boss' }

/** @param bin the folder with `initdb` and `postgres` */
export async function startPostgres(bin: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const identity = otherIdentity()
  // Another user may not enter the folder of the tests.
  const parent = identity === undefined ? os.tmpdir() : '/tmp'
  const folder = fs.mkdtempSync(path.join(parent, 'loopwright-postgres-'))
  const data = path.join(folder, 'data')
  const secret = path.join(folder, 'password')
  fs.writeFileSync(secret, boss.password)
  if (identity !== undefined)
    for (const each of [folder, secret]) fs.chownSync(each, identity.uid, identity.gid)
  const options = {
    ...identity,
    cwd: folder,
    env: { LC_ALL: 'C', TZ: 'UTC' } as unknown as NodeJS.ProcessEnv,
  } // cast: Next declares NODE_ENV as always present
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-U', boss.user, '--auth=scram-sha-256', `--pwfile=${secret}`, '--no-sync', '-E', 'UTF8'],
    options,
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr} ${made.error}`)
  const port = await freePort()
  const given = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'fsync=off',
    ...settings,
  ]
  const server = spawn(path.join(bin, 'postgres'), ['-D', data, ...given.flatMap((each) => ['-c', each])], {
    ...options,
    stdio: 'ignore',
  })
  await letsIn(server, port)
  return {
    port,
    boss,
    async end() {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGINT')
      await ended
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root, so root starts it as the user `nobody`. */
function otherIdentity(): { uid: number; gid: number } | undefined {
  return process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = net.createServer()
    listener.once('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address()
      listener.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Until the server lets its superuser in: it takes connections before it is ready, and refuses them with the code 57P03. */
async function letsIn(server: ChildProcess, port: number): Promise<void> {
  const until = Date.now() + 30_000
  for (;;) {
    if (server.exitCode !== null) throw new Error(`postgres ended with the code ${server.exitCode}`)
    const client = new pg.Client({ host: '127.0.0.1', port, database: 'postgres', ...boss })
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      const isStarting = error instanceof Error && 'code' in error && notYet.has(error.code)
      if (!isStarting || Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
