/** MCP servers: their settings, the consent to start their programs, and the decisions about their tools. */
import * as wire from '#lib/wire/mcp-servers'
import { nothing, row } from '../row'

export const mcpServers = [
  row('GET /api/mcp-servers', {
    does: 'Lists the MCP servers, with their state.',
    gives: { 200: wire.mcpServerList },
    handle: ({ app }) => app.mcpServers.list(),
  }),
  row('POST /api/mcp-servers', {
    does: 'Adds an MCP server. A server that is a program is not started before its command is confirmed.',
    body: wire.addMcpServer,
    example: { name: 'docs', reach: { transport: 'http', url: 'https://mcp.example.com/mcp' } },
    gives: { 201: wire.savedMcpServer },
    handle: ({ app, body }) => app.mcpServers.add(body),
  }),
  row('POST /api/mcp-servers/import', {
    does: 'Adds the MCP servers of a configuration file of another program, given as text. Each entry is judged on its own.',
    body: wire.importMcpServers,
    example: { text: '{"mcpServers": {"docs": {"url": "https://mcp.example.com/mcp"}}}', preview: true },
    gives: { 200: wire.mcpImport },
    handle: ({ app, body }) => app.mcpServers.import(body),
  }),
  row('GET /api/mcp-servers/{name}', {
    does: 'Returns an MCP server with its tools and the agents that use it.',
    gives: { 200: wire.mcpServerDetail },
    handle: ({ app, params }) => app.mcpServers.get(params.name),
  }),
  row('PUT /api/mcp-servers/{name}', {
    does: 'Saves the settings of an MCP server. After a change of its command or its address, it counts as a new server.',
    body: wire.saveMcpServer,
    example: { reach: { transport: 'http', url: 'https://mcp.example.com/mcp' }, timeoutSeconds: 30 },
    gives: { 200: wire.savedMcpServer },
    handle: ({ app, params, body }) => app.mcpServers.save(params.name, body),
  }),
  row('DELETE /api/mcp-servers/{name}', {
    does: 'Deletes an MCP server and the folder of its program.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.mcpServers.remove(params.name),
  }),
  row('POST /api/mcp-servers/{name}/test', {
    does: 'Connects an MCP server and lists its tools. A program without consent is not started.',
    gives: { 200: wire.mcpServerTest },
    handle: ({ app, params, request }) => app.mcpServers.test(params.name, request.signal),
  }),
  row('POST /api/mcp-servers/{name}/consent', {
    does: 'Confirms the command of an MCP server, so that it may be started.',
    body: wire.consentToMcpServer,
    example: { commandHash: 'sha256:0f3c…', unwalled: false },
    gives: { 200: wire.mcpServerView },
    handle: ({ app, params, body }) => app.mcpServers.consent(params.name, body),
  }),
  row('POST /api/mcp-servers/{name}/tools', {
    does: 'Accepts or refuses tools of an MCP server that are new or have changed.',
    body: wire.decideMcpTools,
    example: { accept: ['sha256:9a1b…'] },
    gives: { 200: wire.mcpServerDetail },
    handle: ({ app, params, body }) => app.mcpServers.decide(params.name, body),
  }),
] as const
