/** MCP servers and their tools as the API shows them. */
import type { McpTool, WithheldTool } from '#lib/spec/mcp'
import type { Redact } from '#lib/spec/redact'
import { visible } from '#lib/spec/visible'
import type { McpCommandView, McpServerState, McpServerView, McpToolView } from '#lib/wire/mcp-servers'
import type { McpSignInView } from '#lib/wire/mcp-sign-in'
import type { Vault } from '../secrets/secrets'
import { missingProgram, needsConsent, originOfServer, stdioOff } from './access'
import { commandLine, commandNotes, findBinary, hashCommand } from './command'
import type { JudgedTool } from './pins'
import type { ServerRecord } from './records'
import { consentOf } from './servers'
import { noWall, type ProgramSurroundings } from './surroundings'
import { secretsIn } from './templates'

export interface ViewContext {
  readonly surroundings: ProgramSurroundings
  readonly search: string
  readonly noStdio: boolean
  readonly vault: Pick<Vault, 'get' | 'open'>
  readonly redact: Redact
  /** What is known of the sign-in to a server at this address. */
  signInOf(name: string, url: string): McpSignInView
}

export type Wall = McpCommandView['wall']

export async function wallOf({ wall }: ProgramSurroundings): Promise<Wall> {
  return (await wall()) === undefined ? 'none' : 'bubblewrap'
}

export function viewServer(context: ViewContext, record: ServerRecord, wall: Wall): McpServerView {
  const { name, from, settings, state } = record
  const command = commandOf(context, record, wall)
  const secrets = secretsOf(context, record)
  const reach = settings?.reach
  const signIn = reach?.transport === 'http' ? context.signInOf(name, reach.url) : null
  const now = stateOf(context, record, { command, secrets, signIn })
  const { lastError, lastSeenAt, info } = state
  return {
    name,
    from,
    reach: reach ?? null,
    timeoutSeconds: settings?.timeoutSeconds ?? 60,
    ...now,
    command,
    signIn,
    secrets,
    lastError: lastError && { at: lastError.at, message: visible(lastError.message) },
    lastSeenAt,
    info: info && (mapJson(info, visible) as typeof info), // cast: only texts were changed
    tools: state.tools,
    updatedAt: record.updatedAt,
  }
}

function commandOf(
  { surroundings, search }: ViewContext,
  record: ServerRecord,
  wall: Wall,
): McpCommandView | null {
  const { name, settings } = record
  if (settings?.reach.transport !== 'stdio') return null
  const program = settings.reach
  const binary = findBinary(program.command, search)
  const consent = consentOf(record, binary)
  const fault = surroundings.folderFault(program)
  const canSee = (file: string) => surroundings.canSee(name, program, file)
  const notes = commandNotes(program, binary, { isWalled: wall !== 'none', canSee })
  return {
    binary: binary?.file ?? null,
    ...(binary !== undefined && binary.target !== binary.file && { target: binary.target }),
    line: commandLine(program, binary),
    hash: hashCommand(program, binary),
    home: surroundings.homeOf(name),
    wall,
    consent: consent ?? null,
    notes: fault === undefined ? notes : [fault, ...notes],
  }
}

function secretsOf({ vault }: ViewContext, { name, settings }: ServerRecord): McpServerView['secrets'] {
  if (settings === undefined) return []
  const origin = originOfServer(name, settings.reach)
  return secretsIn(settings.reach).map((secret) => {
    const opened = vault.open(secret, origin)
    const undeclared = !opened.ok && opened.why === 'origin'
    return { name: secret, undeclared, ...(!opened.ok && { problem: opened.problem }) }
  })
}

type Found = Pick<McpServerView, 'command' | 'signIn' | 'secrets'>
type State = { readonly state: McpServerState; readonly problem?: string }

function stateOf(
  { surroundings, noStdio }: ViewContext,
  { settings, state }: ServerRecord,
  { command, signIn, secrets }: Found,
): State {
  if (settings === undefined)
    return { state: 'broken', problem: 'Its stored settings cannot be read. Delete it and add it again.' }
  if (settings.reach.transport === 'stdio' && command !== null) {
    if (noStdio) return { state: 'off', problem: stdioOff }
    if (command.binary === null) return { state: 'failed', problem: missingProgram(settings.reach.command) }
    if (command.consent === null) return { state: 'needs_consent', problem: needsConsent }
    if (command.wall === 'none' && !command.consent.unwalled)
      return { state: 'needs_consent', problem: noWall }
    const fault = surroundings.folderFault(settings.reach)
    if (fault !== undefined) return { state: 'failed', problem: fault }
  }
  const problem = secrets.find((each) => each.problem !== undefined)?.problem
  if (problem !== undefined) return { state: 'failed', problem }
  if (signIn?.state === 'needed')
    return { state: 'needs_sign_in', problem: signIn.problem ?? 'This server asks for a sign-in.' }
  if (state.lastError !== null) return { state: 'failed', problem: visible(state.lastError.message) }
  return { state: state.lastSeenAt === null ? 'not_started' : 'ready' }
}

/** A tool with its invisible characters made visible, and without secrets. */
export function viewTool({ tool, hash, status, reason, before }: JudgedTool, redact: Redact): McpToolView {
  return {
    ...textsOf(tool, redact),
    name: visible(tool.name),
    status,
    hash,
    ...(reason !== undefined && { reason: visible(reason) }),
    ...(before !== undefined && { before: textsOf(before, redact) }),
  }
}

/** A tool that cannot be offered, with the reason as a sentence. */
export function viewUnusable({ name, reason }: WithheldTool, redact: Redact): WithheldTool {
  const words = visible(redact(reason))
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`
  return { name: visible(redact(name)), reason: sentence }
}

function textsOf(tool: McpTool, redact: Redact) {
  const { name, ...texts } = tool
  return mapJson(texts, (text) => visible(redact(text))) as Omit<McpTool, 'name'> // cast: only texts were changed
}

/** Changes every text inside of JSON, names of properties included. */
function mapJson(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => mapJson(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [change(key), mapJson(each, change)]))
}
