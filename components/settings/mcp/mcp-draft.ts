/** The form of an MCP server: its settings as texts that a person edits, and back. */
import { type McpReach, mcpServerName } from '#lib/spec/mcp'
import type { SaveMcpServer } from '#lib/wire/mcp-servers'

export interface McpDraft {
  readonly name: string
  readonly transport: 'stdio' | 'http'
  readonly command: string
  /** One a line, like every list here. */
  readonly args: string
  readonly env: string
  readonly network: boolean
  readonly read: string
  readonly write: string
  readonly url: string
  readonly headers: string
  readonly timeoutSeconds: number | undefined
}

export type McpField = 'name' | 'command' | 'env' | 'read' | 'write' | 'url' | 'headers' | 'timeoutSeconds'

/** Faults that a person can correct here, by field. */
export type McpFaults = Partial<Record<McpField, string>>

export const usualTimeout = 60

export const emptyDraft: McpDraft = {
  ...{ name: '', transport: 'stdio', command: '', args: '', env: '', network: false, read: '', write: '' },
  ...{ url: '', headers: '', timeoutSeconds: usualTimeout },
}

export function draftOfServer(name: string, reach: McpReach | null, timeoutSeconds: number): McpDraft {
  const common = { ...emptyDraft, name, timeoutSeconds }
  if (reach === null) return common
  if (reach.transport === 'http')
    return { ...common, transport: 'http', url: reach.url, headers: linesOfPairs(reach.headers, ': ') }
  const { command, args, env, network, read, write } = reach
  return {
    ...common,
    ...{ command, network, args: args.join('\n'), env: linesOfPairs(env, '=') },
    ...{ read: read.join('\n'), write: write.join('\n') },
  }
}

/** The request that saves the draft; only for a draft without faults. */
export function saveRequestOf(draft: McpDraft): SaveMcpServer {
  const timeoutSeconds = draft.timeoutSeconds ?? usualTimeout
  return { reach: reachOf(draft), timeoutSeconds, declare: [] }
}

function reachOf(draft: McpDraft): McpReach {
  if (draft.transport === 'http')
    return { transport: 'http', url: draft.url.trim(), headers: readPairs(draft.headers, ':').pairs }
  return {
    transport: 'stdio',
    command: draft.command.trim(),
    args: readLines(draft.args, false),
    env: readPairs(draft.env, '=').pairs,
    network: draft.network,
    read: readLines(draft.read),
    write: readLines(draft.write),
  }
}

/** What is wrong with the draft. An empty field that is needed is no fault, but the draft is not complete. */
export function faultsOf(draft: McpDraft, taken: readonly string[]): McpFaults {
  const faults: McpFaults = {}
  const name = draft.name.trim()
  if (taken.includes(name)) faults.name = 'A server with this name already exists.'
  else if (name !== '' && !mcpServerName.safeParse(name).success)
    faults.name = 'Use letters, digits, - and _; at most 40 characters.'
  const { timeoutSeconds: seconds } = draft
  if (seconds !== undefined && (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600))
    faults.timeoutSeconds = 'A whole number of seconds from 1 to 3,600.'
  return draft.transport === 'http'
    ? { ...faults, ...webFaults(draft) }
    : { ...faults, ...programFaults(draft) }
}

function webFaults({ url, headers }: McpDraft): McpFaults {
  const faults: McpFaults = {}
  const isAddress = URL.canParse(url.trim()) && /^https?:$/.test(new URL(url.trim()).protocol)
  if (url.trim() !== '' && !isAddress)
    faults.url = 'An http or https address, as in https://mcp.example.com/mcp.'
  const wrong = readPairs(headers, ':').wrong
  if (wrong !== undefined) faults.headers = `Line ${wrong} must be a name and a value, as in X-Api-Key: abc.`
  return faults
}

function programFaults({ env, read, write }: McpDraft): McpFaults {
  const faults: McpFaults = {}
  const wrong = readPairs(env, '=').wrong
  if (wrong !== undefined) faults.env = `Line ${wrong} must be a name and a value, as in LOG_LEVEL=info.`
  const folder = 'Each folder must be an absolute path, as in /home/me/notes.'
  const isAbsolute = (each: string) => /^(\/|[A-Za-z]:[\\/])/.test(each)
  if (!readLines(read).every(isAbsolute)) faults.read = folder
  if (!readLines(write).every(isAbsolute)) faults.write = folder
  return faults
}

/** Whether everything that is needed has been filled in. */
export function isComplete({ name, transport, command, url }: McpDraft): boolean {
  return name.trim() !== '' && (transport === 'http' ? url : command).trim() !== ''
}

/** Arguments keep their spaces; an empty line is no argument. */
function readLines(text: string, isTrimmed = true): string[] {
  return text
    .split('\n')
    .map((line) => (isTrimmed ? line.trim() : line.replace(/\r$/, '')))
    .filter((line) => line !== '')
}

function readPairs(text: string, sign: '=' | ':'): { pairs: Record<string, string>; wrong?: number } {
  const pairs = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(sign)
    const name = line.slice(0, Math.max(at, 0)).trim()
    if (name === '') return { pairs: Object.fromEntries(pairs), wrong: index + 1 }
    pairs.set(name, line.slice(at + 1).trim())
  }
  return { pairs: Object.fromEntries(pairs) }
}

function linesOfPairs(pairs: Readonly<Record<string, string>>, sign: string): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}${sign}${value}`)
    .join('\n')
}

/**
 * A whole command line that was put into the field of the program, split as a shell would; undefined for a program
 * alone, and while a quote is open.
 */
export function splitCommand(line: string): { command: string; args: string } | undefined {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (const sign of line.trim()) {
    if (quote !== '') {
      if (sign === quote) quote = ''
      else word += sign
    } else if (sign === '"' || sign === "'") {
      quote = sign
      word ??= ''
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + sign
  }
  if (quote !== '') return undefined
  if (word !== undefined) words.push(word)
  const [command, ...args] = words
  return command === undefined || args.length === 0 ? undefined : { command, args: args.join('\n') }
}
