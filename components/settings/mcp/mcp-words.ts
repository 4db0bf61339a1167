/** What is said about an MCP server: its state, how it is reached, and what became of its tools. */
import type { McpReach } from '#lib/spec/mcp'
import type { McpServerState, McpServerView, McpToolStatus } from '#lib/wire/mcp-servers'

export interface StateWords {
  readonly word: string
  readonly icon: string
  readonly tone: 'ok' | 'error' | 'warn' | undefined
}

const stateWords: Readonly<Record<McpServerState, StateWords>> = {
  ready: { word: 'Ready', icon: 'circle-check', tone: 'ok' },
  not_started: { word: 'Not started yet', icon: 'circle', tone: undefined },
  failed: { word: 'Failed', icon: 'circle-x', tone: 'error' },
  needs_consent: { word: 'Not confirmed', icon: 'shield-question-mark', tone: 'warn' },
  needs_sign_in: { word: 'Needs a sign-in', icon: 'key-round', tone: 'warn' },
  off: { word: 'Turned off', icon: 'power', tone: undefined },
  broken: { word: 'Damaged', icon: 'circle-x', tone: 'error' },
}

export function wordsOfState({ state }: Pick<McpServerView, 'state'>): StateWords {
  return stateWords[state]
}

/** How the server is reached, on one line. */
export function reachLine(reach: McpReach | null): string {
  if (reach === null) return 'The stored settings cannot be read.'
  return reach.transport === 'http' ? reach.url : [reach.command, ...reach.args].join(' ')
}

/** `12 tools, 2 off`; undefined while nothing is known. */
export function toolCount({
  tools,
  lastSeenAt,
}: Pick<McpServerView, 'tools' | 'lastSeenAt'>): string | undefined {
  const { on, off } = tools
  if (on + off === 0) return lastSeenAt === null ? undefined : 'no tools'
  const count = on === 1 ? '1 tool' : `${on} tools`
  return off === 0 ? count : `${count}, ${off} off`
}

interface StatusWords {
  readonly word: string
  readonly tone: 'ok' | 'wait' | 'plain' | 'error'
}

export const toolStatusWords: Readonly<Record<McpToolStatus, StatusWords>> = {
  on: { word: 'on', tone: 'ok' },
  changed: { word: 'changed', tone: 'wait' },
  added: { word: 'new', tone: 'wait' },
  refused: { word: 'off', tone: 'plain' },
  gone: { word: 'gone', tone: 'plain' },
}

/** What confines a program, in a sentence or two for the person who decides. */
export function wallWords(wall: 'bubblewrap' | 'none', reach: McpReach | null): string {
  if (wall === 'none')
    return 'Nothing confines this program. It runs with all rights of this server: it can read and change its files, read the data folder with every conversation in it, and use the network. The settings for network and folders have no effect.'
  const folders = reach?.transport === 'stdio' ? [...reach.read, ...reach.write] : []
  const seen = folders.length === 0 ? 'only its own folder' : 'its own folder and the folders listed here'
  const isOnline = reach?.transport === 'stdio' && reach.network
  return `It runs in a sandbox (bubblewrap): it sees ${seen}, and ${isOnline ? 'may use the network' : 'has no network'}.`
}
