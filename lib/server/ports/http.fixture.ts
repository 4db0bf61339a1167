/** For tests: an API on a real local port, and the tools of an entry that call it through the guarded client. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ToolEntry } from '#lib/spec/config'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolContext, ToolOutput, ToolPorts } from '#lib/spec/tool'
import type { Toolkit } from '#lib/spec/toolkit'
import { toolkits } from '#lib/toolkits'
import { openEntry } from '#lib/toolkits/entry'
import { createGuardedFetch, type GuardContext } from '#lib/web/guarded-fetch'
import { createHttp } from './http'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
}

export interface Api {
  readonly url: string
  /** `host:port`, as the operator allows it. */
  readonly host: string
  readonly received: ReceivedRequest[]
  close(): Promise<void>
}

export type Play = (request: ReceivedRequest, response: http.ServerResponse, count: number) => void

/** @param play answers a request; `count` is the number of requests before it */
export async function openApi(play: Play): Promise<Api> {
  const received: ReceivedRequest[] = []
  const server = http.createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { method = '', url: path = '', headers } = request
    const seen = { method, path, headers, body: Buffer.concat(parts).toString() }
    received.push(seen)
    play(seen, response, received.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    received,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Around extends GuardContext {
  /** Values of secrets, and the origins that each may go to. */
  readonly secrets?: Readonly<Record<string, { readonly value: string; readonly origins: readonly string[] }>>
  readonly ports?: Partial<ToolPorts>
  readonly signal?: AbortSignal
  /** The tool of the entry; by default its first. */
  readonly tool?: string
}

/** Reads the entry as a config has it, and runs one of its tools. */
export async function callEntry(
  given: JsonObject & { readonly use: string },
  args: JsonObject,
  { secrets = {}, ports = {}, signal = new AbortController().signal, tool, ...guard }: Around = {},
): Promise<ToolOutput> {
  const toolkit = toolkits.find(({ id }) => id === given.use) as Toolkit // cast: tests name toolkits that exist
  const entry = { preset: {}, ...given, ...toolkit.settings.parse(withoutUse(given)) } as ToolEntry // cast: as above
  const opened = await openEntry({ toolkit, entry, index: 0 }, { tools: [] })
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const found = tool === undefined ? opened.value[0] : opened.value.find(({ name }) => name === tool)
  if (found === undefined) throw new Error('The entry offers no such tool.')
  const web = createGuardedFetch({ firstByteMs: 2_000, ...guard })
  const http = createHttp({
    web,
    open: (name, origin) => {
      const secret = secrets[name]
      if (secret?.origins.includes(origin)) return { ok: true, value: secret.value }
      return { ok: false, why: 'origin', problem: `The secret ${name} may not be sent to ${origin}.` }
    },
  })
  const context: ToolContext = {
    callId: 'call',
    run: { id: null, agent: { id: null, name: '' }, thread: null, step: 0 },
    inLine: async (_for, wait) => wait(() => undefined),
    signal,
    now: () => 0,
    progress: () => undefined,
    created: () => undefined,
    ports: { ...closedPorts, http, ...ports },
  }
  try {
    return await found.run(args, context)
  } finally {
    await web.close()
  }
}

function withoutUse({ use: _use, ...rest }: JsonObject): JsonObject {
  return rest
}
