/** MCP servers on the wire: their settings, what a person confirms before a program starts, and the tools they list. */
import { z } from 'zod'
import { mcpReach, mcpServerName } from '#lib/spec/mcp'
import { mcpSignInView } from './mcp-sign-in'
import { secretName } from './secrets'

/** Seconds that one call may take if no policy sets another limit. */
const timeoutSeconds = z.int().min(1).max(3_600)

/**
 * The settings of a server. Values of `env`, of headers, in arguments and in the query of the address that look like
 * secrets are stored as secrets and replaced by `${NAME}`.
 */
export const saveMcpServer = z.strictObject({
  reach: mcpReach,
  timeoutSeconds: timeoutSeconds.default(60),
  /** Secrets that the settings name and that may be sent to this server from now on. */
  declare: z.array(secretName).max(100).default([]),
})
export type SaveMcpServer = z.output<typeof saveMcpServer>

export const addMcpServer = saveMcpServer.extend({ name: mcpServerName })
export type AddMcpServer = z.output<typeof addMcpServer>

/** A value that was taken out of the settings and stored as a secret. */
const takenSecret = z.strictObject({
  name: z.string(),
  /** Where it was: `env/GITHUB_TOKEN`, `headers/Authorization`, `args/2`, `url`. */
  at: z.string(),
})
export type TakenSecret = z.infer<typeof takenSecret>

/** A secret that the settings name. */
const namedSecret = z.strictObject({
  name: z.string(),
  /** Why it cannot be used and what to do; absent if it can. */
  problem: z.string().optional(),
  /** Whether it exists, and is only not declared for this server. */
  undeclared: z.boolean(),
})

/**
 * `broken`: its stored row cannot be read. `off`: programs are turned off on this server. `needs_consent`: a person
 * must confirm the command. `needs_sign_in`: it asks for a sign-in. `failed`: the last attempt failed.
 * `not_started`: it was not connected yet. `ready`: it was connected, and nothing has failed since.
 */
export const mcpServerState = z.enum([
  'ready',
  'not_started',
  'failed',
  'needs_consent',
  'needs_sign_in',
  'off',
  'broken',
])
export type McpServerState = z.infer<typeof mcpServerState>

/** The program of a stdio server, as a person confirms it. */
export const mcpCommandView = z.strictObject({
  /** The file that will run, found in PATH; null if there is none. */
  binary: z.string().nullable(),
  /** The file behind `binary`, if that is a symbolic link. */
  target: z.string().optional(),
  /** The binary and all arguments, quoted as in a shell; secrets are named, not shown. */
  line: z.string(),
  /** What `consent` must repeat: it covers everything in the settings of the program, and the file that runs. */
  hash: z.string(),
  /** Its own folder, which is its HOME and its working folder. */
  home: z.string(),
  /** What confines it on this machine: `bubblewrap`, or `none`. */
  wall: z.enum(['bubblewrap', 'none']),
  /** What a person has confirmed of exactly this command; null if nothing. */
  consent: z
    .strictObject({
      at: z.int().nonnegative(),
      /** Whether it may run without a wall, with the rights of this server. */
      unwalled: z.boolean(),
    })
    .nullable(),
  /** What a person should know before they confirm it: files named in arguments that it cannot see, and the like. */
  notes: z.array(z.string()),
})
export type McpCommandView = z.infer<typeof mcpCommandView>

export const mcpServerView = z.strictObject({
  name: z.string(),
  /** `file`: from the file named in LOOPWRIGHT_MCP_CONFIG, so that it cannot be changed here. */
  from: z.enum(['settings', 'file']),
  /** Null if its stored row cannot be read. */
  reach: mcpReach.nullable(),
  timeoutSeconds: z.int(),
  state: mcpServerState,
  /** Why it is not ready and what to do; absent if it is ready or was not started yet. */
  problem: z.string().optional(),
  /** Null for a server that is reached over HTTP. */
  command: mcpCommandView.nullable(),
  /** Null for a server that is a program. */
  signIn: mcpSignInView.nullable(),
  secrets: z.array(namedSecret),
  lastError: z.strictObject({ at: z.int().nonnegative(), message: z.string() }).nullable(),
  /** When it was connected or listed its tools last; null if never. */
  lastSeenAt: z.int().nonnegative().nullable(),
  /** What the server says of itself; untrusted. */
  info: z
    .strictObject({
      name: z.string(),
      version: z.string(),
      protocol: z.string(),
      instructions: z.string().optional(),
    })
    .nullable(),
  /** How many of its tools are offered, how many are off, and how many of those wait for a decision. */
  tools: z.strictObject({
    on: z.int().nonnegative(),
    off: z.int().nonnegative(),
    waiting: z.int().nonnegative(),
  }),
  updatedAt: z.int().nonnegative(),
})
export type McpServerView = z.infer<typeof mcpServerView>

export const mcpServerList = z.strictObject({
  items: z.array(mcpServerView),
  /** Whether LOOPWRIGHT_NO_STDIO turns servers that are programs off. */
  noStdio: z.boolean(),
  /** What confines programs on this machine. */
  wall: z.enum(['bubblewrap', 'none']),
  /** The file named in LOOPWRIGHT_MCP_CONFIG; null if none is named. */
  file: z
    .strictObject({
      path: z.string(),
      /** What is wrong with the file or with entries of it, each in one sentence. */
      problems: z.array(z.string()),
    })
    .nullable(),
})
export type McpServerList = z.infer<typeof mcpServerList>

/** A tool's texts with invisible characters made visible. */
const toolTexts = z.strictObject({
  title: z.string().optional(),
  description: z.string(),
  parameters: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
})

/**
 * `on`: it is offered. `changed`: it differs from what was accepted. `added`: it came later. `refused`: a person
 * turned it off. `gone`: it was accepted, and the server no longer lists it.
 */
export const mcpToolStatus = z.enum(['on', 'changed', 'added', 'refused', 'gone'])
export type McpToolStatus = z.infer<typeof mcpToolStatus>

export const mcpToolView = toolTexts.extend({
  name: z.string(),
  status: mcpToolStatus,
  /** Names the tool in a decision. */
  hash: z.string(),
  /** Why it is off; absent if it is on. */
  reason: z.string().optional(),
  /** The tool as it was accepted; only if it differs from that now. */
  before: toolTexts.optional(),
})
export type McpToolView = z.infer<typeof mcpToolView>

/** An agent whose draft uses a server. */
const userOfServer = z.strictObject({ id: z.string(), name: z.string(), title: z.string() })

export const mcpServerDetail = mcpServerView.extend({
  /** In the order of their names. */
  list: z.array(mcpToolView),
  /** Tools that cannot be offered, whatever a person decides; the name `*` stands for those beyond a limit. */
  unusable: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
  /** The hash of all tools that the server lists now. */
  setHash: z.string(),
  usedBy: z.array(userOfServer),
})
export type McpServerDetail = z.infer<typeof mcpServerDetail>

/** A server after it was saved, and the values that became secrets. */
export const savedMcpServer = z.strictObject({ server: mcpServerView, taken: z.array(takenSecret) })
export type SavedMcpServer = z.infer<typeof savedMcpServer>

/** Confirms one command. `unwalled` also confirms that it runs with this server's own rights if no wall holds it. */
export const consentToMcpServer = z.strictObject({
  commandHash: z.string().max(200),
  unwalled: z.boolean().default(false),
})
export type ConsentToMcpServer = z.output<typeof consentToMcpServer>

/** The hashes of tools, as they were shown. */
const toolHashes = z.array(z.string().max(200)).max(2_000).default([])

/** If one of the tools has changed since it was shown, nothing is decided. Accepting a tool that is gone forgets it. */
export const decideMcpTools = z.strictObject({ accept: toolHashes, refuse: toolHashes })
export type DecideMcpTools = z.output<typeof decideMcpTools>

export const mcpServerTest = z.strictObject({
  ok: z.boolean(),
  /** What was found, or what is wrong and what to do. */
  message: z.string(),
  durationMs: z.int().nonnegative(),
  server: mcpServerView,
})
export type McpServerTest = z.infer<typeof mcpServerTest>

/**
 * JSON as other programs write it: `{"mcpServers": {…}}`, `{"servers": {…}}`, or the entries alone. Comments and
 * trailing commas are allowed.
 */
export const importMcpServers = z.strictObject({
  text: z.string().max(500_000),
  /** Only reports what would happen. */
  preview: z.boolean().default(false),
})
export type ImportMcpServers = z.output<typeof importMcpServers>

/** What became of one entry; the others do not depend on it. */
export const importedMcpServer = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    /** The key of the entry. */
    entry: z.string(),
    /** The name of the server, which differs from the key if that is no valid name. */
    name: z.string(),
    /** With `${NAME}` in place of the values that become secrets. */
    reach: mcpReach,
    taken: z.array(takenSecret),
    /** What was understood differently or left out, each in one sentence. */
    notes: z.array(z.string()),
  }),
  z.strictObject({ ok: z.literal(false), entry: z.string(), error: z.string() }),
])
export type ImportedMcpServer = z.infer<typeof importedMcpServer>

export const mcpImport = z.strictObject({ items: z.array(importedMcpServer) })
export type McpImport = z.infer<typeof mcpImport>
