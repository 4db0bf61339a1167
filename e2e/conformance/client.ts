/**
 * A client for the conformance suite of MCP: the product's own connections and sign-in, with nobody in between who
 * decides. The suite starts it with the address of a server, and the scenario in variables.
 */
import { createConnections } from '#lib/mcp/connections'
import type { McpServers } from '#lib/mcp/servers'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import type { McpCall, McpTool } from '#lib/spec/mcp'
import { parseJson } from '#lib/wire/json'
import { createSuiteSignIn } from './client-sign-in'

const server = 'suite'
const url = process.argv.at(-1) ?? ''
/** What a scenario gives the client, such as the id of a client that was registered by hand. */
const given = contextOf(process.env.MCP_CONFORMANCE_CONTEXT)

/** The product itself ends a call only when its run ends. */
const limitMs = 25_000
/** How often a question in the result of a call is answered. */
const mostRounds = 5

function contextOf(text = '{}'): JsonObject {
  const read = parseJson(text)
  return read.ok && isObject(read.value) ? read.value : {}
}

function serversAt(address: string): McpServers {
  const authProvider = createSuiteSignIn(address, given)
  const route = { transport: 'http', url: address, headers: {}, fetch, authProvider } as const
  return {
    has: (name) => name === server,
    access: async () => ({ ok: true, route, redact: (text) => text }),
    seen: async (_, tools) => ({ offered: new Set(tools.map(({ name }) => name)), withheld: [] }),
    report: () => undefined,
    onChange: () => () => undefined,
  }
}

type Call = Pick<McpCall, 'tool' | 'args'>

/** The calls that the scenario names, or one call of each tool. */
function callsOf(tools: readonly McpTool[]): Call[] {
  if (!Array.isArray(given.toolCalls))
    return tools.map(({ name, parameters }) => ({ tool: name, args: argumentsFor(parameters) }))
  return given.toolCalls
    .filter(isObject)
    .map(({ name, arguments: args }) => ({ tool: String(name), args: isObject(args) ? args : {} }))
}

function argumentsFor({ properties }: JsonSchema | JsonObject): JsonObject {
  const entries = Object.entries(isObject(properties) ? properties : {})
  return Object.fromEntries(entries.map(([name, schema]) => [name, valueFor(schema)]))
}

function valueFor(schema: unknown): JsonValue {
  const { type, default: usual } = isObject(schema) ? schema : {}
  if (usual !== undefined) return usual
  if (type === 'number' || type === 'integer') return 5
  return type === 'boolean' ? true : 'text'
}

/** What a person sends who fills in the form of a question and leaves what is in it. */
function fill({ schema = {} }: InputQuestion): InputReply {
  return { action: 'answer', values: argumentsFor(schema) }
}

async function main(): Promise<void> {
  const connections = createConnections({ servers: serversAt(url), version: '1.0.0' })
  const signal = AbortSignal.timeout(limitMs)
  /** Calls, and calls again when the server asks for a form to be filled in. */
  const call = async (one: Call, rounds = mostRounds, answered?: McpCall['answered']): Promise<void> => {
    const output = await connections.call(
      {
        server,
        ...one,
        ...(answered && { answered }),
        onProgress: () => undefined,
        keep: async () => undefined,
        ask: async (question) => fill(question),
      },
      signal,
    )
    process.stderr.write(`${one.tool}: ${JSON.stringify(output)}\n`)
    if (output.ok !== 'asks' || rounds === 0) return
    const replies = Object.fromEntries(output.questions.map((each) => [each.inputId, fill(each)]))
    await call(one, rounds - 1, {
      replies,
      ...(output.state !== undefined && { state: output.state }),
    })
  }
  try {
    const tested = await connections.test(server, signal)
    if (!tested.ok) throw new Error(`${tested.code}: ${tested.message}`)
    for (const one of callsOf(tested.listing.tools)) await call(one)
  } finally {
    await connections.close()
  }
}

await main()
