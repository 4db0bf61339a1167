/** The MCP servers as their connections see them: whether they may be reached, and which of their tools are offered. */
import type { McpAllowance, McpChange, McpReport, McpServers } from '#lib/mcp/servers'
import { type JsonValue, jsonKey } from '#lib/spec/json'
import type { McpTool, WithheldTool } from '#lib/spec/mcp'
import type { Redact } from '#lib/spec/redact'
import { type AccessContext, openAccess } from './access'
import { type Binary, hashCommand } from './command'
import { type JudgedTool, judgeTools, seeTools, type ToolMemory } from './pins'
import type { McpState, Records, ServerRecord } from './records'

/** What a person has confirmed of a server's program as it is now; undefined if nothing. */
export function consentOf(
  { settings, state }: ServerRecord,
  binary: Binary | undefined,
): { readonly at: number; readonly unwalled: boolean } | undefined {
  if (settings?.reach.transport !== 'stdio' || state.consent === null) return undefined
  const { hash, at, unwalled } = state.consent
  return hash === hashCommand(settings.reach, binary) ? { at, unwalled } : undefined
}

export interface OpenServers extends McpServers {
  /** Tells the connections of a change. */
  announce(change: McpChange): void
}

interface ServersContext extends AccessContext {
  readonly records: Records
  /** What counts as confirmed. Default: what a person has confirmed in the settings. */
  readonly consentOf?: typeof consentOf
  now(): number
}

/** The longest text of a server that is kept as its last error. */
const mostErrorText = 4_000

export function createServers(context: ServersContext): OpenServers {
  const { records, redact, now, consentOf: confirmedOf = consentOf } = context
  const listeners = new Set<(change: McpChange) => void>()
  return {
    has: (name) => records.get(name) !== undefined,
    access: async (name) => {
      const record = records.get(name)
      if (record === undefined)
        return { ok: false, code: 'unknown', message: `There is no MCP server ${name}.` }
      if (record.settings === undefined)
        return {
          ok: false,
          code: 'broken',
          message: `The settings of the MCP server ${name} cannot be read.`,
        }
      const { reach, timeoutSeconds } = record.settings
      const consentFor = (binary: Binary | undefined) => confirmedOf(record, binary)
      return await openAccess(context, { name, reach, timeoutSeconds, consentFor })
    },
    seen: async (name, listed, unusable) => {
      const read = listed.map((tool) => redactTool(tool, redact))
      const unread = listed.filter((_, index) => read[index] === undefined)
      const deep = unread.map((tool) => ({ name: tool.name, reason: 'Its schema is nested too deeply.' }))
      const before = records.tools(name)
      const memory = {
        ...seeTools(
          before,
          read.filter((tool) => tool !== undefined),
        ),
        unusable: [...unusable, ...deep].map((each) => ({ ...each, name: redact(each.name) })),
      }
      const judged = judgeTools(memory)
      quietly(() => {
        if (isOther(before, memory)) records.saveTools(name, memory)
        records.note(name, { lastSeenAt: now(), tools: countTools(judged, memory.unusable) })
      })
      const { offered, withheld } = allowanceOf(judged)
      return { offered, withheld: [...withheld, ...deep] }
    },
    report: (name, report) => quietly(() => records.note(name, noteOf(report, redact))),
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    announce: (change) => {
      for (const listener of listeners) listener(change)
    },
  }
}

function noteOf(report: McpReport, redact: Redact) {
  const { at } = report
  if (report.state === 'failed')
    return { lastError: { at, message: redact(report.message).slice(0, mostErrorText) } }
  const { name, version, protocol, instructions } = report.info
  const short = (text: string) => redact(text).slice(0, mostErrorText)
  const info = { name: short(name), version: short(version), protocol: short(protocol) }
  return {
    lastError: null,
    lastSeenAt: at,
    info: instructions === undefined ? info : { ...info, instructions: short(instructions) },
  }
}

/** What is offered and what is not, for the connections. */
export function allowanceOf(judged: readonly JudgedTool[]): McpAllowance {
  const on = judged.filter(({ status }) => status === 'on')
  const off = judged.filter(({ status }) => status !== 'on' && status !== 'gone')
  return {
    offered: new Set(on.map(({ tool }) => tool.name)),
    withheld: off.map(({ tool, reason = '' }) => ({ name: tool.name, reason })),
  }
}

export function countTools(
  judged: readonly JudgedTool[],
  unusable: readonly WithheldTool[] = [],
): McpState['tools'] {
  const count = (...wanted: readonly JudgedTool['status'][]) =>
    judged.filter(({ status }) => wanted.includes(status)).length
  const waiting = count('changed', 'added')
  // The name `*` stands for tools that were not read.
  const useless = unusable.filter(({ name }) => name !== '*').length
  return { on: count('on'), off: waiting + count('refused') + useless, waiting }
}

/** The tool without secrets in its texts; undefined if it is nested too deeply to be written down. */
function redactTool(tool: McpTool, redact: Redact): McpTool | undefined {
  try {
    const text = JSON.stringify(tool)
    const clean = redact(text)
    return clean === text ? tool : JSON.parse(clean)
  } catch {
    return undefined
  }
}

function isOther(before: ToolMemory, after: ToolMemory): boolean {
  if (before.pins !== after.pins) return true
  const keyOf = ({ listed, unusable = [] }: ToolMemory) =>
    // cast: tools are JSON, which the open type of their schemas does not say
    jsonKey([listed, unusable] as unknown as JsonValue)
  return keyOf(before) !== keyOf(after)
}

/** A connection does not fail because its success could not be written down; the disk's fault is reported elsewhere. */
function quietly(write: () => void): void {
  try {
    write()
  } catch {
    // The store reports its own faults.
  }
}
