/** For tests: servers that are real programs, or real addresses, without settings behind them. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { temporaryFolder } from '#db/rows.fixture'
import { at } from '#lib/setup/place.mjs'
import type { McpCall } from '#lib/spec/mcp'
import { type Connections, createConnections } from './connections'
import type { McpAccess, McpAllowance, McpChange, McpReport, McpServers } from './servers'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A program of the packages that are installed for tests. */
export function npmServer(name: string, ...args: string[]): Program {
  return {
    command: process.execPath,
    args: [at('node_modules', '@modelcontextprotocol', name, 'dist', 'index.js'), ...args],
  }
}

export function misbehaving(...args: string[]): Program {
  return { command: process.execPath, args: [at('e2e', 'mcp-servers', 'misbehaving.mjs'), ...args] }
}

export function programAccess({ command, args, env = {} }: Program): McpAccess {
  return {
    ok: true,
    route: {
      transport: 'stdio',
      start: async () =>
        spawn(command, args, {
          stdio: ['pipe', 'pipe', 'pipe'],
          detached: true,
          env: { NODE_ENV: 'test', PATH: process.env.PATH ?? '', ...env },
        }),
    },
    redact: (text) => text.replaceAll('sk-planted-secret', '[secret]'),
  }
}

export interface FakeSettings extends McpServers {
  /** What was reported, oldest first. */
  readonly reports: { readonly name: string; readonly report: McpReport }[]
  access: McpServers['access']
  /** Decides what is offered; by default everything is. */
  allow(name: string, tools: Parameters<McpServers['seen']>[1]): McpAllowance
  change(change: McpChange): void
}

export function settingsOf(servers: Readonly<Record<string, Program | McpAccess>>): FakeSettings {
  const listeners = new Set<(change: McpChange) => void>()
  const settings: FakeSettings = {
    reports: [],
    has: (name) => Object.hasOwn(servers, name),
    async access(name) {
      const found = servers[name]
      if (found === undefined) return { ok: false, message: 'There is no such server.' }
      return 'route' in found ? found : programAccess(found)
    },
    allow: (_, tools) => ({ offered: new Set(tools.map((each) => each.name)), withheld: [] }),
    seen: async (name, tools) => settings.allow(name, tools),
    report: (name, report) => settings.reports.push({ name, report }),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (change) => {
      for (const each of listeners) each(change)
    },
  }
  return settings
}

const open: Connections[] = []

/** Connections that `closeAll` closes. */
export function connect(given: Omit<Parameters<typeof createConnections>[0], 'version'>): Connections {
  const connections = createConnections({ version: '0.0.0', ...given })
  open.push(connections)
  return connections
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((each) => each.close()))
}

export function callOf(tool: string, more: Partial<McpCall> = {}): McpCall {
  return {
    server: 'one',
    tool,
    args: {},
    onProgress: () => undefined,
    keep: async ({ name, mediaType, content }) => ({
      id: `kept-${name}`,
      name,
      path: null,
      mediaType,
      bytes: content.length,
    }),
    ...more,
  }
}

/** What the misbehaving server wrote down. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
}

export const never = new AbortController().signal

/** One misbehaving server, connected. */
export async function one(args: string[] = [], times: Parameters<typeof connect>[0]['times'] = {}) {
  const place = temporaryFolder()
  const log = path.join(place.folder, 'log.txt')
  const settings = settingsOf({ one: misbehaving('--log', log, ...args) })
  const connections = connect({ servers: settings, times })
  await connections.connect(['one'], never)
  return { settings, connections, log: () => linesOf(log), place }
}

export const namesIn = (listing: { readonly tools: readonly { readonly name: string }[] } | undefined) =>
  listing?.tools.map(({ name }) => name)
