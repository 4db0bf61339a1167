/** What to enter in other programs so that they use an agent with a key. Pure. */
import type { KeyUse } from '#lib/spec/agent-key'

export interface Outlet {
  /** The address of this server. */
  readonly url: string
  readonly agent: { readonly id: string; readonly name: string }
  /** The text of a key; null while none was just made. */
  readonly key: string | null
}

export interface Way {
  readonly id: string
  /** The name of the program, or of what is entered. */
  readonly label: string
  /** Where the text goes, as one sentence. */
  readonly where: string
  readonly language: 'sh' | 'json' | 'text'
  readonly text: string
  /** What a person should know before using it. */
  readonly note?: string
}

/** Stands in a text for a key that is not shown any more. */
export const keyPlace = 'YOUR_KEY'

export function waysOf(use: KeyUse, outlet: Outlet): readonly Way[] {
  switch (use) {
    case 'mcp':
      return mcpWays(outlet)
    case 'chat':
      return [chatWay(outlet)]
    case 'api':
      return apiWays(outlet)
    default:
      return use satisfies never
  }
}

function keyOf({ key }: Outlet): string {
  return key ?? keyPlace
}

export function mcpUrl({ url, agent }: Outlet): string {
  return `${url}/api/mcp/${agent.name}`
}

export function chatLink(outlet: Outlet): string {
  return `${outlet.url}/talk/${outlet.agent.name}#${keyOf(outlet)}`
}

function mcpWays(outlet: Outlet): readonly Way[] {
  const { name } = outlet.agent
  const url = mcpUrl(outlet)
  const bearer = `Bearer ${keyOf(outlet)}`
  const headers = { Authorization: bearer }
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      where: 'Run this in a terminal.',
      language: 'sh',
      text: `claude mcp add --transport http ${name} ${url} --header "Authorization: ${bearer}"`,
      note: 'Claude Code ends a call after the time in MCP_TOOL_TIMEOUT (in milliseconds). Raise it for an agent that works longer, because a client that gives up cancels the run.',
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop',
      where: 'Add this to claude_desktop_config.json (Settings, Developer, Edit Config), and restart it.',
      language: 'json',
      text: json({
        mcpServers: {
          [name]: {
            command: 'npx',
            args: ['-y', 'mcp-remote', url, ...allowHttp(url), '--header', `Authorization:\${AUTHORIZATION}`],
            env: { AUTHORIZATION: bearer },
          },
        },
      }),
      note: 'Claude Desktop reads only programs from this file, so the npm package mcp-remote passes the messages on. Its Connectors take only OAuth.',
    },
    {
      id: 'vs-code',
      label: 'VS Code',
      where: 'Add this to .vscode/mcp.json of a folder, or to the user’s mcp.json.',
      language: 'json',
      text: json({ servers: { [name]: { type: 'http', url, headers } } }),
      note: 'The file contains the key: keep it out of version control.',
    },
    {
      id: 'cursor',
      label: 'Cursor',
      where: 'Add this to ~/.cursor/mcp.json, or to .cursor/mcp.json of a folder.',
      language: 'json',
      text: json({ mcpServers: { [name]: { url, headers } } }),
      note: 'The file contains the key: keep it out of version control.',
    },
  ]
}

/** The bridge speaks plain HTTP to this machine only, unless it is told otherwise. */
function allowHttp(url: string): readonly string[] {
  const { protocol, hostname } = new URL(url)
  const isLocal = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  return protocol === 'http:' && !isLocal ? ['--allow-http'] : []
}

function chatWay(outlet: Outlet): Way {
  return {
    id: 'link',
    label: 'Link',
    where: 'Send this link to whoever should talk to the agent.',
    language: 'text',
    text: chatLink(outlet),
    note: 'Whoever has the link can use it until the key expires or is revoked. They see only the threads that were begun with this key, can rate answers, and cannot approve calls.',
  }
}

function apiWays(outlet: Outlet): readonly Way[] {
  const begin = [
    `curl -X POST ${outlet.url}/api/agents/${outlet.agent.id}/runs`,
    `-H 'authorization: Bearer ${keyOf(outlet)}'`,
    "-H 'content-type: application/json'",
  ]
  const question = `-d '{"input":"Your question"}'`
  return [
    {
      id: 'stream',
      label: 'Events as they happen',
      where: 'Run this in a terminal.',
      language: 'sh',
      text: [...begin, "-H 'accept: text/event-stream'", question].join(' \\\n  '),
    },
    {
      id: 'begin',
      label: 'Begin a run, then read it',
      where: 'The first command answers with the id of the run, which the second one reads.',
      language: 'sh',
      text: [
        [...begin, question].join(' \\\n  '),
        `curl ${outlet.url}/api/runs/RUN_ID \\\n  -H 'authorization: Bearer ${keyOf(outlet)}'`,
      ].join('\n\n'),
    },
  ]
}

function json(value: object): string {
  return JSON.stringify(value, null, 2)
}
