/**
 * Reads the JSON in which other programs keep their MCP servers: Claude Desktop and Cursor (`mcpServers`), VS Code
 * (`servers`), and those that write the address or the transport differently. Each entry is judged on its own.
 */
import type { Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { placesAlong, placesIn } from '#lib/spec/json-text'
import { type McpReach, mcpServerName } from '#lib/spec/mcp'
import { visible } from '#lib/spec/visible'
import { parseJson } from '#lib/wire/json'
import { readReach } from './reach'

export interface ReadEntry {
  /** The key of the entry. */
  readonly entry: string
  readonly result: Result<EntryServer, string>
}

interface EntryServer {
  readonly name: string
  readonly reach: McpReach
  /** Whether it says that its program may run without a wall. */
  readonly unwalled: boolean
  /** What was understood differently or left out, each in one sentence. */
  readonly notes: readonly string[]
}

/** The most entries of one text. */
const mostEntries = 500

/** The entries; the error says in one sentence why there are none. */
export function readEntries(text: string): Result<ReadEntry[], string> {
  const plain = plainJson(text)
  const read = parseJson(plain, { maxBytes: 1_000_000 })
  if (!read.ok) return read
  const path = pathOfServers(read.value)
  if (path === undefined)
    return wrong(
      'There are no servers in it. Write {"mcpServers": {"name": {"command": "…"}}} or {"name": {"url": "…"}}.',
    )
  const twice = path.find((key, depth) => repeatedKeys(plain, path.slice(0, depth)).has(key))
  if (twice !== undefined)
    return wrong(`It has the key "${twice}" twice, of which only one would count. Write one list of servers.`)
  const entries = Object.entries(path.reduce(memberOf, read.value) ?? {})
  if (entries.length === 0) return wrong('It names no server.')
  if (entries.length > mostEntries)
    return wrong(`It names ${entries.length} servers; at most ${mostEntries} are read at a time.`)
  const repeated = repeatedKeys(plain, path)
  const value = entries.map(([entry, settings]) => ({
    entry,
    result: repeated.has(entry) ? wrong(namedTwice) : readEntry(entry, settings),
  }))
  return { ok: true, value }
}

const namedTwice = 'Several servers have this name, of which only one would count. Rename the others.'

/** The keys that lead to the object whose keys are the names of servers. */
function pathOfServers(value: JsonValue): string[] | undefined {
  if (!isObject(value)) return undefined
  for (const key of ['mcpServers', 'servers', 'mcp', 'context_servers']) {
    const inner = value[key]
    if (!isObject(inner)) continue
    if (key !== 'mcp') return [key]
    const further = pathOfServers(inner)
    return further === undefined ? undefined : [key, ...further]
  }
  return Object.values(value).some((each) => isObject(each) && isEntry(each)) ? [] : undefined
}

function memberOf(value: JsonValue, key: string): JsonValue {
  return isObject(value) ? (value[key] ?? null) : null
}

/** The keys that the object at this path has more than once. Parsing keeps only the last of them. */
function repeatedKeys(text: string, path: readonly string[]): ReadonlySet<string> {
  const place = placesAlong(text, path)[path.length]
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { key } of place === undefined ? [] : placesIn(text, place.value))
    (seen.has(key) ? repeated : seen).add(key)
  return repeated
}

const addressKeys = ['url', 'serverUrl', 'httpUrl'] as const

function isEntry(value: JsonObject): boolean {
  return 'command' in value || addressKeys.some((key) => key in value)
}

function readEntry(entry: string, value: JsonValue): ReadEntry['result'] {
  if (!isObject(value)) return wrong('It is not an object.')
  const name = nameOf(entry)
  if (name === undefined)
    return wrong('Its name has no letter or digit. Name it with letters, digits, - and _.')
  if (value.disabled === true || value.enabled === false)
    return wrong('It is disabled there. Remove "disabled" to add it.')
  const notes: string[] = []
  if (name !== entry)
    notes.push(`It is called ${name} here, because a name has only letters, digits, - and _.`)
  const plain = value.command === undefined ? addressIn(value, notes) : programIn(value, notes)
  if (!plain.ok) return plain
  const reach = readReach(plain.value)
  if (!reach.ok) return reach
  return { ok: true, value: { name, reach: reach.value, unwalled: value.unwalled === true, notes } }
}

/** A valid name for a server: `@scope/my server` becomes `scope-my-server`. */
function nameOf(entry: string): string | undefined {
  const name = entry
    .slice(0, 200)
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(0, 40)
  return mcpServerName.safeParse(name).data
}

/** Keys that change nothing here, and why. */
const ignored: Readonly<Record<string, string>> = {
  autoApprove: 'which calls need an approval is decided by the policies of each agent',
  alwaysAllow: 'which calls need an approval is decided by the policies of each agent',
  trust: 'which calls need an approval is decided by the policies of each agent',
  disabledTools: 'which tools an agent gets is chosen in its drawing',
  timeout: 'the time limit is set after adding',
  unwalled: 'that a program may run without a sandbox is confirmed for each server',
  oauth: 'a sign-in is set up after adding',
  auth: 'a sign-in is set up after adding',
}
const silent = new Set([
  'type',
  'transport',
  'disabled',
  'enabled',
  'name',
  'description',
  'gallery',
  '$schema',
])

function noteOthers(value: JsonObject, known: readonly string[], notes: string[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key) || silent.has(key)) continue
    const why = Object.hasOwn(ignored, key) ? ignored[key] : 'it means nothing here'
    notes.push(`"${visible(key.slice(0, 60))}" was left out: ${why}.`)
  }
}

const programKeys = ['command', 'args', 'env', 'cwd', 'network', 'read', 'write']

function programIn(value: JsonObject, notes: string[]): Result<JsonObject, string> {
  if (value.cwd !== undefined)
    return wrong(
      'It names a working folder (cwd). A server runs in a folder of its own: use absolute paths in its arguments and remove "cwd".',
    )
  if (value.envFile !== undefined)
    return wrong('It reads variables from a file (envFile). Write them under "env" instead.')
  noteOthers(value, programKeys, notes)
  const { command, args = [], env = {}, network, read, write } = value
  if (Array.isArray(command)) {
    const [first = '', ...rest] = command
    return programIn(
      { ...value, command: first, args: [...rest, ...(Array.isArray(args) ? args : [])] },
      notes,
    )
  }
  const others = { ...(network !== undefined && { network }), ...(read && { read }), ...(write && { write }) }
  return {
    ok: true,
    value: {
      transport: 'stdio',
      command,
      args: Array.isArray(args) ? args.map((each) => textIn(each, notes)) : args,
      env: isObject(env) ? textsIn(env, notes) : env,
      ...others,
    } as JsonObject, // cast: `command` is present, which the caller has checked
  }
}

function addressIn(value: JsonObject, notes: string[]): Result<JsonObject, string> {
  const key = addressKeys.find((each) => value[each] !== undefined)
  if (key === undefined) return wrong('It has neither a "command" nor a "url".')
  const type = value.type ?? value.transport
  if (type === 'sse') notes.push('It is reached over Streamable HTTP first, and over SSE if that fails.')
  const headers = value.headers ?? {}
  noteOthers(value, [...addressKeys, 'headers'], notes)
  const url = textIn(value[key] ?? '', notes)
  return {
    ok: true,
    value: { transport: 'http', url, headers: isObject(headers) ? textsIn(headers, notes) : headers },
  }
}

function textsIn(record: JsonObject, notes: string[]): JsonObject {
  const kept = Object.entries(record).filter(([, value]) => value !== null)
  return Object.fromEntries(kept.map(([key, value]) => [key, textIn(value, notes)]))
}

/** A text with the variables of other programs written as secrets: `${env:API_KEY}` and `${input:api-key}`. */
function textIn(value: JsonValue, notes: string[]): JsonValue {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') return value
  return value.replace(/\$\{(?:(?:env|input):)?([A-Za-z][\w-]*)(?::-[^{}]*)?\}/g, (whole, name: string) => {
    if (/^(workspaceFolder|userHome|workspaceFolderBasename|pathSeparator)$/.test(name)) return whole
    const secret = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/_+$/, '')
    if (whole !== `\${${secret}}`)
      notes.push(
        `${visible(whole.slice(0, 100))} was read as the secret ${secret}; enter it under Settings → Secrets.`,
      )
    return `\${${secret}}`
  })
}

function wrong(error: string): { ok: false; error: string } {
  return { ok: false, error }
}

/** The JSON without comments and trailing commas, which some programs allow. Positions stay as they are. */
function plainJson(text: string): string {
  const kept = [...(text.startsWith('\ufeff') ? ` ${text.slice(1)}` : text)]
  let comma: number | undefined
  for (let at = 0; at < kept.length; ) {
    const char = kept[at] ?? ''
    const end = endOfSkipped(kept, at)
    if (end > at) {
      for (; at < end; at++) if (kept[at] !== '\n') kept[at] = ' '
      continue
    }
    if (comma !== undefined && /[}\]]/.test(char)) kept[comma] = ' '
    if (!/\s/.test(char)) comma = char === ',' ? at : undefined
    at = char === '"' ? endOfString(kept, at) : at + 1
  }
  return kept.join('')
}

/** Where the comment that begins here ends; `at` itself if none begins. */
function endOfSkipped(chars: readonly string[], at: number): number {
  if (chars[at] !== '/') return at
  const isLine = chars[at + 1] === '/'
  if (!isLine && chars[at + 1] !== '*') return at
  let end = at + 2
  const isOpen = () =>
    isLine ? chars[end] !== '\n' : chars[end - 1] !== '/' || chars[end - 2] !== '*' || end < at + 4
  while (end < chars.length && isOpen()) end += 1
  return end
}

function endOfString(chars: readonly string[], at: number): number {
  let end = at + 1
  while (end < chars.length && chars[end] !== '"' && chars[end] !== '\n') end += chars[end] === '\\' ? 2 : 1
  return end + 1
}
