/** A server for the conformance suite: the product's own endpoint and door, with the fixtures of the suite. */
import type { McpServer } from '@modelcontextprotocol/server'
import type { Sdk } from '#lib/mcp/serve'
import { createHttpEndpoint } from '#lib/mcp/serve-http'
import { createGuard } from '#lib/server/door/guard'
import { type HttpHouse, serveFetch } from '#lib/server/outlet/http.fixture'
import { parseJson } from '#lib/wire/json'
import { addFixtures, stateCodec } from './fixtures'

function serverWithFixtures(sdk: Sdk): McpServer {
  const server = new sdk.McpServer(
    { name: 'loopwright-conformance', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} },
      requestState: { verify: stateCodec(sdk).verify },
    },
  )
  addFixtures(sdk, server)
  return server
}

export async function serveConformance(): Promise<HttpHouse> {
  const endpoint = createHttpEndpoint()
  const guard = createGuard({})
  const answer = async (request: Request): Promise<Response> => {
    const verdict = guard({
      method: request.method,
      target: new URL(request.url).pathname,
      header: (name) => {
        const value = request.headers.get(name)
        return value === null ? [] : [value]
      },
    })
    if (!verdict.ok) return Response.json({ error: verdict }, { status: 403 })
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    const read = parseJson(await request.text())
    if (!read.ok) return Response.json({ error: read.error }, { status: 400 })
    return endpoint.answer(serverWithFixtures, { request, body: read.value, caller: 'suite' })
  }
  const { url, close } = await serveFetch(answer)
  return { url: `${url}/api/mcp/fixtures`, close }
}
