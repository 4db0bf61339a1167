/** The connections to all servers: made when a server is used first, and shared by all runs. */
import { type McpListing, type McpPort, unknownServer } from '#lib/spec/mcp'
import { McpConnection } from './connection'
import { Link, type LinkTimes, within } from './link'
import { createProcessRecords } from './processes'
import type { McpServerInfo, McpServers } from './servers'

export interface Connections extends McpPort {
  /** Connects a server, even after a failure a moment ago, and lists its tools anew. Never throws. */
  test(server: string, signal: AbortSignal): Promise<ConnectionTest>
  /** Ends every connection and every program. */
  close(): Promise<void>
}

export type ConnectionTest =
  | { readonly ok: true; readonly info: McpServerInfo; readonly listing: McpListing }
  | { readonly ok: false; readonly message: string; readonly code: string }

interface ConnectionsGiven {
  readonly servers: McpServers
  /** The version of this program. */
  readonly version: string
  /** Where the programs that run are recorded, so that the next start ends what a killed server left behind. */
  readonly processes?: string
  readonly times?: Partial<LinkTimes & { readonly start: number }>
}

const seconds = 1_000

const usualTimes: LinkTimes & { readonly start: number } = {
  start: 10 * seconds,
  connect: 60 * seconds,
  idle: 300 * seconds,
  restarts: [0, 1 * seconds, 4 * seconds],
  settled: 60 * seconds,
  retry: [2 * seconds, 5 * seconds, 15 * seconds, 60 * seconds],
  listAge: 60 * seconds,
  back: 5 * seconds,
}

/** Ends the programs that an earlier server left behind, and starts nothing. */
export function createConnections({ servers, version, processes, times }: ConnectionsGiven): Connections {
  const records = createProcessRecords(processes)
  records.sweep()
  const links = new Map<string, Link>()
  const all = { ...usualTimes, ...times }
  const context = { servers, records, version, times: all }
  const linkOf = (server: string): Link | undefined => {
    const known = links.get(server)
    if (known !== undefined || !servers.has(server)) return known
    const link = new Link(server, context)
    links.set(server, link)
    return link
  }
  const stopListening = servers.onChange(({ name, what }) => {
    const link = links.get(name)
    if (link === undefined) return
    if (!servers.has(name)) links.delete(name)
    if (what === 'tools') void link.reconsider()
    else link.reset()
  })
  return {
    listing: (server) => linkOf(server)?.listing,
    async connect(names, signal) {
      const bound = AbortSignal.any([signal, AbortSignal.timeout(all.start)])
      const wanted = [...new Set(names)].flatMap((name) => linkOf(name) ?? [])
      await Promise.all(wanted.map((link) => within(link.connect(), bound)))
    },
    async call(call, signal) {
      const link = linkOf(call.server)
      return link === undefined ? unknownServer(call.server) : link.call(call, signal)
    },
    async texts(wanted, signal) {
      const link = linkOf(wanted.server)
      const bound = AbortSignal.any([signal, AbortSignal.timeout(all.start)])
      return link === undefined ? [] : link.texts(wanted, bound)
    },
    async test(server, signal) {
      const link = linkOf(server)
      if (link === undefined)
        return { ok: false, code: 'mcp_unknown', message: unknownServer(server).message }
      const reached = await within(link.connect({ force: true }), signal)
      if (reached === undefined) return { ok: false, code: 'aborted', message: 'The test was stopped.' }
      if (!(reached instanceof McpConnection)) return { ok: false, ...reached }
      return { ok: true, info: reached.info, listing: link.listing }
    },
    async close() {
      stopListening()
      await Promise.all([...links.values()].map((link) => link.close()))
      links.clear()
    },
  }
}
