/** Whether an MCP server may be reached now, and how, with its secrets filled in. */
import type { McpAccess, McpRefusal } from '#lib/mcp/servers'
import { readMissingScopes } from '#lib/mcp/sign-in-discovery'
import type { McpAddress, McpProgram, McpReach } from '#lib/spec/mcp'
import type { Redact } from '#lib/spec/redact'
import { type OpenedSecret, programOrigin } from '../secrets/secrets'
import { type Binary, findBinary } from './command'
import { isHeaderValue } from './reach'
import type { McpTokens } from './sign-ins'
import { noWall, type ProgramSurroundings } from './surroundings'
import { fillSecrets, secretsIn } from './templates'

export interface AccessContext {
  readonly surroundings: ProgramSurroundings
  /** Folders with programs, in the form of PATH. */
  readonly search: string
  /** Whether LOOPWRIGHT_NO_STDIO turns programs off. */
  readonly noStdio: boolean
  readonly redact: Redact
  openSecret(name: string, origin: string): OpenedSecret
  /** The guarded client for an address that the operator has entered. */
  fetchFor(address: string): typeof fetch
  /** The tokens of a sign-in to this server. */
  tokensOf?(name: string, url: string): McpTokens
}

export interface AccessRequest {
  readonly name: string
  readonly reach: McpReach
  readonly timeoutSeconds: number
  /** Whether a person has confirmed this program as it is now, and that it may run without a wall. */
  consentFor(binary: Binary | undefined): { readonly unwalled: boolean } | undefined
}

/** Where a server's secrets go: the origin that they must be declared for. */
export function originOfServer(name: string, reach: McpReach): string {
  return reach.transport === 'http' ? new URL(reach.url).origin : programOrigin(name)
}

export const stdioOff = 'LOOPWRIGHT_NO_STDIO is set on this server, so no MCP server is started as a program.'

export async function openAccess(
  context: AccessContext,
  request: AccessRequest,
): Promise<McpAccess | McpRefusal> {
  const { reach, name } = request
  if (reach.transport === 'stdio') return openProgram(context, { ...request, reach })
  const filled = withSecrets(context, name, reach)
  if (!filled.ok) return filled
  const { url, headers } = filled.value
  const broken = Object.keys(headers).find((each) => !isHeaderValue(headers[each] ?? ''))
  if (broken !== undefined)
    return refuse(
      'secret',
      `The secret in the header ${broken} has line breaks or other characters that cannot be sent.`,
    )
  // A server with a key of its own in its settings is never asked for a sign-in.
  const hasKey = Object.keys(headers).some((each) => each.toLowerCase() === 'authorization')
  const authProvider = hasKey ? undefined : context.tokensOf?.(name, reach.url)
  const inner = context.fetchFor(url)
  const route =
    authProvider === undefined
      ? { url, headers, fetch: inner }
      : { url, headers, fetch: withScopeCheck(inner, authProvider), authProvider }
  return { ...accessOf(context, request), route: { transport: 'http', ...route } }
}

/** A person hears of the scopes that the server has missed, whichever request it was. */
function withScopeCheck(inner: typeof fetch, { onMissingScopes }: McpTokens): typeof fetch {
  return async (...request) => {
    const response = await inner(...request)
    const missing = readMissingScopes(response.status, response.headers.get('www-authenticate'))
    if (missing !== undefined) onMissingScopes(missing)
    return response
  }
}

async function openProgram(
  context: AccessContext,
  request: AccessRequest & { readonly reach: McpProgram },
): Promise<McpAccess | McpRefusal> {
  const { name, reach } = request
  if (context.noStdio) return refuse('stdio_off', stdioOff)
  const binary = findBinary(reach.command, context.search)
  if (binary === undefined) return refuse('no_program', missingProgram(reach.command))
  const consent = request.consentFor(binary)
  if (consent === undefined) return refuse('needs_consent', needsConsent)
  const isWalled = (await context.surroundings.wall()) !== undefined
  if (!isWalled && !consent.unwalled) return refuse('needs_consent', noWall)
  const filled = withSecrets(context, name, reach)
  if (!filled.ok) return filled
  const start = () =>
    context.surroundings.start({ name, program: filled.value, binary, unwalled: consent.unwalled })
  return {
    ...accessOf(context, request),
    route: { transport: 'stdio', start },
    metadata: { wall: isWalled ? 'bubblewrap' : 'none' },
  }
}

export const needsConsent =
  'A person must confirm the command of this server before it is started: Settings → MCP servers.'

export function missingProgram(command: string): string {
  return `There is no program ${command.slice(0, 200)} on this machine, or it may not be run. Install it, or write the absolute path of its file.`
}

/** The least time for connecting: a program may have to be downloaded first. */
const leastConnectSeconds = 60

function accessOf({ redact }: AccessContext, { timeoutSeconds }: AccessRequest) {
  const connectTimeoutMs = Math.max(leastConnectSeconds, timeoutSeconds) * 1_000
  return { ok: true, timeoutSeconds, connectTimeoutMs, redact } as const
}

/** The settings with the values of those secrets that are declared for this server. */
function withSecrets<R extends McpProgram | McpAddress>(
  { openSecret }: AccessContext,
  name: string,
  reach: R,
): { readonly ok: true; readonly value: R } | McpRefusal {
  const values = new Map<string, string>()
  const origin = originOfServer(name, reach)
  for (const secret of secretsIn(reach)) {
    const opened = openSecret(secret, origin)
    if (!opened.ok) return refuse('secret', opened.problem)
    if (opened.value.includes('\0'))
      return refuse('secret', `The secret ${secret} contains a character with the number 0.`)
    values.set(secret, opened.value)
  }
  return { ok: true, value: fillSecrets(reach, values) as R } // cast: only texts were replaced
}

function refuse(code: string, message: string): McpRefusal {
  return { ok: false, code, message }
}
