/** For tests: everything behind the API over a fresh folder, with its routes called as plain functions. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Handlers, handlers } from '#lib/api/handlers'
import { routes } from '#lib/api/routes'
import type { Parts } from '#lib/spec/config'
import type { RunEvent } from '#lib/spec/event'
import { type Composition, compose } from './compose'
import type { Environment } from './environment/environment'

export interface House extends Composition {
  readonly folder: string
  /** Stops the house and keeps its folder for another one. */
  leave(): Promise<void>
  end(): Promise<void>
}

interface Given extends Partial<Environment> {
  readonly examples?: string
  /** Default: the parts of the product. */
  readonly parts?: Parts
  /** The data folder of an earlier house. Default: a fresh folder. */
  readonly folder?: string
}

/** Composes a server without listening, and registers it where the routes find it. */
export function openHouse(given: Given = {}): House {
  const {
    examples,
    parts,
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-house-')),
    ...environment
  } = given
  const composition = compose({
    environment: { port: 3000, host: '127.0.0.1', dataFolder: folder, ...environment },
    version: '0.0.0-test',
    ...(examples !== undefined && { examples }),
    ...(parts && { parts }),
  })
  Object.assign(globalThis, { [Symbol.for('loopwright')]: composition.app })
  const leave = async () => {
    await composition.drain(2_000)
    composition.close()
  }
  return {
    ...composition,
    folder,
    leave,
    end: async () => {
      await leave()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** All events of a run, as a client reads them. */
export function eventsIn(runs: House['app']['runs'], id: string): RunEvent[] {
  return [...runs.events(id)].flat().map(({ json }) => JSON.parse(json))
}

export interface Ask {
  readonly method?: string
  readonly params?: Readonly<Record<string, string>>
  readonly query?: string
  /** A string or bytes are sent unchanged; anything else is sent as JSON. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

const api = handlers(routes)

/**
 * Calls the API as Next does. `{id}` in the path is replaced by its parameter, `{...path}` by one that is
 * already encoded.
 */
export function ask(
  path: string,
  { method = 'GET', params = {}, query = '', body, headers, signal }: Ask = {},
): Promise<Response> {
  const isPlain = typeof body === 'string' || body instanceof Uint8Array
  const sent = isPlain ? (body as BodyInit) : JSON.stringify(body) // cast: text or bytes
  const request = new Request(`http://127.0.0.1:3000${addressOf(path, params)}${query}`, {
    method,
    headers: {
      host: '127.0.0.1:3000',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: sent }),
    ...(signal && { signal }),
  })
  return callApi(request)
}

/** Passes a request to the handler that Next would choose. */
export function callApi(request: Request): Promise<Response> {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  return api[method as keyof Handlers](request) // cast: Next gives a handler no other method
}

function addressOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\.\.\.)?(\w+)\}/g, (_, rest, name) => {
    const value = params[name] ?? 'x'
    return rest ? value : encodeURIComponent(value)
  })
}
