/** For tests: everything behind the API over a fresh folder, and its routes called as plain functions. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Composition, compose } from './compose'
import type { Environment } from './environment'

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>
export type RouteModule = { readonly [method: string]: unknown }

export interface House extends Composition {
  readonly folder: string
  end(): Promise<void>
}

/** Composes a server's inside without listening, and puts it where routes look. */
export function openHouse(settings: Partial<Environment> & { examples?: string } = {}): House {
  const { examples, ...environment } = settings
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-house-'))
  const composition = compose({
    environment: { port: 3000, host: '127.0.0.1', dataFolder: folder, ...environment },
    version: '0.0.0-test',
    ...(examples !== undefined && { examples }),
  })
  Object.assign(globalThis, { [Symbol.for('loopwright')]: composition.app })
  return {
    ...composition,
    folder,
    end: async () => {
      await composition.drain(2_000)
      composition.close()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

export interface Ask {
  readonly method?: string
  readonly params?: Record<string, string>
  readonly query?: string
  /** `/api/test` unless said. */
  readonly path?: string
  /** Sent as JSON; a string as it is. */
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
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const request = new Request(`http://127.0.0.1:3000${at}${query}`, {
    method,
    headers: {
      host: '127.0.0.1:3000',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: text }),
    ...(signal && { signal }),
  })
  return handler(request, { params: Promise.resolve(params) })
}
