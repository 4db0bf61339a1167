/** For tests: everything behind the API over a fresh folder, and its routes called as plain functions. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { RunEvent } from '#lib/spec/event'
import { type Composition, compose } from './compose'
import type { Environment } from './environment/environment'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>
export type RouteModule = { readonly [method: string]: unknown }

export interface House extends Composition {
  readonly folder: string
  /** Stops it and leaves its folder to another house. */
  leave(): Promise<void>
  end(): Promise<void>
}

interface Given extends Partial<Environment> {
  readonly examples?: string
  /** The data folder of a house before this one; a fresh one unless said. */
  readonly folder?: string
}

/** Composes a server's inside without listening, and puts it where routes look. */
export function openHouse(given: Given = {}): House {
  const {
    examples,
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-house-')),
    ...environment
  } = given
  const composition = compose({
    environment: { port: 3000, host: '127.0.0.1', dataFolder: folder, ...environment },
    version: '0.0.0-test',
    ...(examples !== undefined && { examples }),
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

/** All events of a run, as a reader gets them. */
export function eventsIn(runs: House['app']['runs'], id: string): RunEvent[] {
  return [...runs.events(id)].flat().map(({ json }) => JSON.parse(json))
}

export interface Ask {
  readonly method?: string
  readonly params?: Record<string, string>
  readonly query?: string
  /** `/api/test` unless said. */
  readonly path?: string
  /** Sent as JSON; a string and bytes as they are. */
  readonly body?: unknown
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** Calls a route handler as Next does. */
export function ask(
  module: RouteModule,
  { method = 'GET', params = {}, query = '', path: at = '/api/test', body, headers, signal }: Ask = {},
): Promise<Response> {
  const handler = module[method] as Handler // cast: every route module exports handlers by method
  const isPlain = typeof body === 'string' || body instanceof Uint8Array
  const sent = isPlain ? (body as BodyInit) : JSON.stringify(body) // cast: text or bytes
  const request = new Request(`http://127.0.0.1:3000${at}${query}`, {
    method,
    headers: {
      host: '127.0.0.1:3000',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: sent }),
    ...(signal && { signal }),
  })
  return handler(request, { params: Promise.resolve(params) })
}
