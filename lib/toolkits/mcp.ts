/** The toolkit of an MCP server: the tools that the server lists, under names that begin with the server's. */
import { z } from 'zod'
import { glob } from '#lib/spec/config'
import { globMatcher } from '#lib/spec/glob'
import type { JsonObject } from '#lib/spec/json'
import { type McpListing, type McpTool, mcpServerName } from '#lib/spec/mcp'
import type { Tool, ToolContext, ToolOutput } from '#lib/spec/tool'
import type { ToolClass } from '#lib/spec/tool-class'
import type { EntryListing, Toolkit } from '#lib/spec/toolkit'

/** What a server says of its own tools is never a reason to trust them more. */
const toolClass: ToolClass = { risk: 'write', effect: 'effect', isAssumed: true }

const timeoutSeconds = 60

const settings = z.object({
  server: mcpServerName.meta({
    title: 'Server',
    description: 'The name of a server in Settings → MCP servers.',
    format: 'mcp-server',
    form: 'the name of a server in Settings → MCP servers, as in "files"',
  }),
  enable: z.array(glob).max(200).default([]).meta({
    title: 'Tools',
    description:
      'Names or patterns of the tools to offer, as the server names them; without any, all of them.',
    format: 'mcp-tools',
  }),
  disable: z.array(glob).max(200).default([]).meta({
    title: 'Not these',
    description: 'Names or patterns of tools that are not offered, even if they are listed above.',
    format: 'mcp-tools',
  }),
  advice: z.boolean().default(false).meta({
    title: 'Its advice',
    description:
      'The model also reads what the server says of how it is used, marked as a text of the server. Such a text is not checked by anybody.',
  }),
  resources: z.array(z.string().min(1).max(2_048)).max(10).default([]).meta({
    title: 'Resources',
    description:
      'Addresses of resources of the server, such as docs://handbook. The model reads their text at the start of each run, marked as a text of the server.',
  }),
})

type Entry = z.output<typeof settings>

export const mcp: Toolkit<typeof settings> = {
  id: 'mcp',
  label: 'MCP server',
  group: 'MCP servers',
  help: 'The tools of an MCP server from Settings: of a program on this machine or of a service on the web.',
  keywords: ['mcp', 'server', 'plugin', 'connector', 'integration', 'external', 'context', 'protocol'],
  icon: 'plug',
  family: 'mcp',
  settings,
  scope: { prefix: 'server', list: 'enable', without: 'disable' },
  toolClass,
  initial: { server: 'everything' },
  givesWay: true,
  // No server is asked before a run: which tools there are is known once it is connected.
  open: async () => [],
  prepare: async ({ server, advice: instructions = false, resources = [] }, ports, signal) => {
    await ports.mcp.connect([server], signal)
    if (!instructions && resources.length === 0) return []
    return ports.mcp.texts({ server, instructions, resources }, signal)
  },
  now: async (entry, ports) => listEntry(entry, ports.mcp.listing(entry.server)),
}

const listed = new WeakMap<McpListing, Map<string, EntryListing>>()

/** The same lists for the same listing and settings, so that it shows when nothing has changed. */
function listEntry(entry: Entry, listing: McpListing | undefined): EntryListing {
  const { server } = entry
  if (listing === undefined) {
    const reason = `there is no MCP server “${server}” in the settings`
    return { tools: none, withheld: [{ name: `${server}.*`, reason }], reason }
  }
  const key = JSON.stringify(entry)
  const known = listed.get(listing) ?? new Map<string, EntryListing>()
  listed.set(listing, known)
  const made = known.get(key) ?? makeListing(entry, listing)
  known.set(key, made)
  return made
}

const none: readonly Tool[] = []

function makeListing(
  { server, enable = [], disable = [] }: Partial<Entry> & Pick<Entry, 'server'>,
  listing: McpListing,
): EntryListing {
  const wanted = enable.map(globMatcher)
  const unwanted = disable.map(globMatcher)
  const isWanted = ({ name }: { readonly name: string }) =>
    (wanted.length === 0 || name === '*' || wanted.some((fits) => fits(name))) &&
    !unwanted.some((fits) => fits(name))
  return {
    tools: listing.tools.filter(isWanted).map((tool) => toolOf(server, tool, listing)),
    withheld: listing.withheld
      .filter(isWanted)
      .map(({ name, reason }) => ({ name: `${server}.${name}`, reason })),
    reason: listing.reason,
  }
}

function toolOf(
  server: string,
  { name, title, description, parameters }: McpTool,
  listing: McpListing,
): Tool {
  return {
    name: `${server}.${name}`,
    label: title ?? name,
    description,
    icon: 'plug',
    risk: toolClass.risk,
    effect: toolClass.effect,
    isAssumed: true,
    timeoutSeconds: listing.timeoutSeconds ?? timeoutSeconds,
    parameters,
    run: (args, context) => call({ server, tool: name, args }, context),
  }
}

interface Called {
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
}

function call(called: Called, context: ToolContext): Promise<ToolOutput> {
  const { ports, signal, ask, answered } = context
  return ports.mcp.call(
    {
      ...called,
      onProgress: (text) => context.progress(text),
      keep: async (file) => {
        const kept = await ports.artifacts.keep(file)
        if (kept !== undefined) context.created(kept)
        return kept
      },
      ...(ask && { ask }),
      ...(answered && { answered }),
    },
    signal,
  )
}
