/** The MCP servers that were set up: those of the settings and those of the operator's file, with what became of them. */
import { z } from 'zod'
import { type JsonSchema, jsonKey, tryParseJson } from '#lib/spec/json'
import { type McpReach, type McpTool, mcpReach, mcpServerName } from '#lib/spec/mcp'
import type { McpServerStore } from '#lib/spec/mcp-store'
import { hashText, noTools, type ToolMemory } from './pins'
import { reachFault } from './reach'

const settingsForm = z.object({
  reach: mcpReach.refine(
    (reach) => reachFault(reach) === undefined,
    'The address or the command is not valid',
  ),
  timeoutSeconds: z.int().min(1).max(3_600),
})
export type McpSettings = z.output<typeof settingsForm>

const stateForm = z.object({
  /** What the rest is about: after a change of the command or the address it no longer counts. */
  identity: z.string(),
  consent: z.object({ hash: z.string(), at: z.number(), unwalled: z.boolean() }).nullable(),
  lastError: z.object({ at: z.number(), message: z.string() }).nullable(),
  lastSeenAt: z.number().nullable(),
  info: z
    .object({
      name: z.string(),
      version: z.string(),
      protocol: z.string(),
      instructions: z.string().optional(),
    })
    .nullable(),
  tools: z.object({ on: z.int(), off: z.int(), waiting: z.int().default(0) }),
})
export type McpState = z.output<typeof stateForm>

const schema = z.record(z.string(), z.unknown())
const toolForm = z.object({
  name: z.string(),
  title: z.string().optional(),
  description: z.string(),
  parameters: schema,
  outputSchema: schema.optional(),
  annotations: schema.optional(),
})
const toolsForm = z.object({
  identity: z.string(),
  pins: z.array(toolForm).nullable(),
  refused: z.array(z.tuple([z.string(), z.string()])),
  listed: z.array(toolForm),
  unusable: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
})

export interface ServerRecord {
  readonly name: string
  readonly from: 'settings' | 'file'
  /** Undefined if the stored row cannot be read. */
  readonly settings: McpSettings | undefined
  readonly state: McpState
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Records {
  /** Sorted by name. */
  all(): ServerRecord[]
  get(name: string): ServerRecord | undefined
  /** The server whose name differs at most in its case: two such names would share a folder on some systems. */
  alike(name: string): ServerRecord | undefined
  save(name: string, settings: McpSettings): ServerRecord
  note(name: string, change: Partial<McpState>): void
  tools(name: string): ToolMemory
  saveTools(name: string, memory: ToolMemory): void
  remove(name: string): void
}

interface RecordsContext {
  readonly store: McpServerStore
  /** The servers of the operator's file, by name. They hide those of the settings. */
  readonly file: ReadonlyMap<string, McpSettings>
  now(): number
}

export function createRecords({ store, file, now }: RecordsContext): Records {
  const records = new Map<string, ServerRecord>()
  for (const row of store.list()) {
    if (row.settings === null && !file.has(row.name)) continue
    const settings = file.get(row.name) ?? readSettings(row.name, row.settings)
    records.set(row.name, {
      ...{ name: row.name, from: file.has(row.name) ? 'file' : 'settings', settings },
      state: settings === undefined ? freshState('') : readState(row.state, identityOf(settings.reach)),
      ...{ createdAt: row.createdAt, updatedAt: row.updatedAt },
    })
  }
  for (const [name, settings] of file) {
    if (records.has(name)) continue
    const times = { createdAt: now(), updatedAt: now() }
    records.set(name, {
      name,
      from: 'file',
      settings,
      state: freshState(identityOf(settings.reach)),
      ...times,
    })
  }
  const get = (name: string) => records.get(name)
  /** Writes columns of a server's row, which a server of the file gets with its first entry. */
  const update = (record: ServerRecord, change: { state?: string; tools?: string }) => {
    if (store.update(record.name, change)) return
    const { name, createdAt, updatedAt } = record
    const row = { state: JSON.stringify(record.state), tools: '{}', ...change }
    store.put({ name, settings: null, ...row, createdAt, updatedAt })
  }
  return {
    all: () => [...records.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    get,
    alike: (name) => {
      const plain = name.toLowerCase()
      return get(name) ?? [...records.values()].find((each) => each.name.toLowerCase() === plain)
    },
    save: (name, settings) => {
      const before = get(name)
      const identity = identityOf(settings.reach)
      const isSame = before?.state.identity === identity
      const record: ServerRecord = {
        ...{ name, from: 'settings', settings },
        state: isSame ? before.state : freshState(identity),
        createdAt: before?.createdAt ?? now(),
        updatedAt: now(),
      }
      const tools = isSame ? (store.get(name)?.tools ?? '{}') : JSON.stringify({ identity, ...noTools })
      const { state, createdAt, updatedAt } = record
      const row = { settings: JSON.stringify(settings), state: JSON.stringify(state), tools }
      store.put({ name, ...row, createdAt, updatedAt })
      records.set(name, record)
      return record
    },
    note: (name, change) => {
      const record = get(name)
      if (record === undefined) return
      const next = { ...record, state: { ...record.state, ...change } }
      records.set(name, next)
      update(next, { state: JSON.stringify(next.state) })
    },
    tools: (name) => {
      const record = get(name)
      return record === undefined ? noTools : readTools(store.get(name)?.tools, record.state.identity)
    },
    saveTools: (name, memory) => {
      const record = get(name)
      if (record === undefined) return
      update(record, { tools: JSON.stringify({ identity: record.state.identity, ...memory }) })
    },
    remove: (name) => {
      store.remove(name)
      records.delete(name)
    },
  }
}

/** Equal while the server is the same one: the same command with the same rights, or the same address. */
export function identityOf(reach: McpReach): string {
  return hashText(reach.transport === 'http' ? reach.url : jsonKey(reach))
}

function freshState(identity: string): McpState {
  const unknown = { consent: null, lastError: null, lastSeenAt: null, info: null }
  return { identity, ...unknown, tools: { on: 0, off: 0, waiting: 0 } }
}

/** A name that is no valid one must not lead to a folder. */
function readSettings(name: string, text: string | null): McpSettings | undefined {
  if (text === null || !mcpServerName.safeParse(name).success) return undefined
  return settingsForm.safeParse(tryParseJson(text)).data
}

/** A state that cannot be read confirms nothing. */
function readState(text: string, identity: string): McpState {
  const state = stateForm.safeParse(tryParseJson(text)).data
  return state?.identity === identity ? state : freshState(identity)
}

/** Tools that cannot be read are not taken for a first connection, which would accept all: then none is accepted. */
function readTools(text: string | undefined, identity: string): ToolMemory {
  if (text === undefined || text === '{}') return noTools
  const read = toolsForm.safeParse(tryParseJson(text)).data
  if (read === undefined) return { ...noTools, pins: [] }
  if (read.identity !== identity) return noTools
  // cast: the form checks the same keys; a schema's own form is checked where its tool is called
  const tools = read as unknown as ToolMemory & { listed: (McpTool & { parameters: JsonSchema })[] }
  return { pins: tools.pins, refused: read.refused, listed: tools.listed, unusable: read.unusable }
}
