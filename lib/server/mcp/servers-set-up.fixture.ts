/** For tests: MCP servers set up through the API, with programs and addresses that are real. */
import fs from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { at } from '#lib/setup/place.mjs'
import type { McpServerDetail, McpServerView } from '#lib/wire/mcp-servers'
import { type Ask, ask } from '../house.fixture'

export const routes = {
  all: '/api/mcp-servers',
  import: '/api/mcp-servers/import',
  one: '/api/mcp-servers/{name}',
  test: '/api/mcp-servers/{name}/test',
  consent: '/api/mcp-servers/{name}/consent',
  tools: '/api/mcp-servers/{name}/tools',
} as const

/** The body of an answer, as whatever the test expects. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every route with it
export async function bodyOf(route: string, given: Ask = {}): Promise<any> {
  const method = given.body === undefined ? 'GET' : 'POST'
  return (await ask(route, { method, ...given })).json()
}

export async function errorOf(route: string, given: Ask): Promise<[number, string]> {
  const response = await ask(route, { method: 'POST', ...given })
  const { error } = await response.json()
  return [response.status, error?.code]
}

export const listedProgram = at('e2e', 'mcp-servers', 'listed.mjs')

/** A program whose tools are in a file of the folder. */
export function listed(folder: string, args: string[] = [], env: Record<string, string> = {}) {
  const file = path.join(folder, 'tools.json')
  const read = [path.dirname(listedProgram), folder]
  return { transport: 'stdio', command: process.execPath, args: [listedProgram, file, ...args], env, read }
}

export function writeTools(folder: string, tools: Record<string, string>): void {
  const all = Object.entries(tools).map(([name, description]) => ({
    ...{ name, description },
    inputSchema: { type: 'object', properties: {} },
  }))
  fs.writeFileSync(path.join(folder, 'tools.json'), JSON.stringify(all))
}

/** Confirms the command as it is shown. */
export async function consent(name: string, unwalled = true): Promise<McpServerView> {
  const { command } = await bodyOf(routes.one, { params: { name } })
  return bodyOf(routes.consent, { params: { name }, body: { commandHash: command.hash, unwalled } })
}

/** The status of each tool of a server. */
export async function statuses(name: string): Promise<Record<string, string>> {
  const { list }: McpServerDetail = await bodyOf(routes.one, { params: { name } })
  return Object.fromEntries(list.map((tool) => [tool.name, tool.status]))
}

/** An MCP server over HTTP that notes the headers it gets. */
export async function openAddress() {
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    let text = ''
    for await (const chunk of request) text += chunk
    const { id, method } = text === '' ? {} : JSON.parse(text)
    const result = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'address', version: '1.0.0' },
      },
      'tools/list': { tools: [{ name: 'look', description: 'looks', inputSchema: { type: 'object' } }] },
    }[String(method)]
    if (request.method !== 'POST') return response.writeHead(405).end()
    if (id === undefined) return response.writeHead(202).end()
    const body = result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result }
    response.writeHead(200, { 'content-type': 'application/json' })
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    headers,
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
