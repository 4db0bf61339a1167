/** Keys that let others use an agent, what the holder of a key may know, and the agent as an MCP server. */
import * as wire from '#lib/wire/agent-keys'
import { nothing, response, row } from '../row'

export const keys = [
  row('GET /api/agents/{id}/keys', {
    does: 'Lists the keys of an agent, newest first, with what their runs of today add up to.',
    gives: { 200: wire.agentKeyList },
    handle: ({ app, params }) => app.keys.list(params.id),
  }),
  row('POST /api/agents/{id}/keys', {
    does: 'Makes a key that lets its holder use this agent and nothing else. The text of the key is in this answer only.',
    body: wire.createAgentKey,
    example: { name: 'Support desk', use: 'api', runsPerDay: 100 },
    gives: { 201: wire.newAgentKey },
    handle: ({ app, params, body }) => app.keys.create(params.id, body),
  }),
  row('DELETE /api/agents/{id}/keys/{keyId}', {
    does: 'Revokes a key. It stops working at once; the threads and runs that were begun with it stay.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.keys.revoke(params.id, params.keyId),
  }),
  row('GET /api/key', {
    does: 'Returns what the holder of an agent key may know: the name and use of the key, and of its agent. It is answered only for a request with such a key.',
    gives: { 200: wire.ownKey },
    keys: { uses: ['mcp', 'chat', 'api'], reach: 'own' },
    handle: ({ app, key }) => app.keyRuns.about(key),
  }),
  row('POST /api/mcp/{name}', {
    does: 'Serves the agent as an MCP server with one tool (Streamable HTTP). It is on while the agent has a key of use `mcp`, with which each request must come.',
    gives: { 200: response },
    keys: { uses: ['mcp'], reach: 'agentName' },
    handle: ({ app, params, key, request }) => app.mcp.answer({ name: params.name, key, request }),
  }),
] as const
