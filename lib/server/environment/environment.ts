/** The operator's environment variables, read once at the start. */
import path from 'node:path'
import { z } from 'zod'
import type { Result } from '#lib/spec/errors'
import { type WallStrength, wallStrengths } from '#lib/spec/walls'
import { originOf } from './base-url'
import { type Outbound, optional, readOutbound } from './environment-outbound'

const loopback = new Set(['127.0.0.1', 'localhost', '::1'])

export interface Environment {
  readonly port: number
  readonly host: string
  /** Absolute. */
  readonly dataFolder: string
  readonly token?: string
  /** An origin such as `https://agents.example.com`, without a path. */
  readonly publicOrigin?: string
  /** How long the scripted models of new examples and templates wait after each word. */
  readonly paceMs?: number
  /** Whether the server's log gets one line for each step of a run. */
  readonly logsSteps?: boolean
  /** The operator's file of MCP servers; absolute. */
  readonly mcpConfig?: string
  /** Whether no MCP server is started as a program. */
  readonly noStdio?: boolean
  /** The weakest wall behind which foreign code is run; absent: any that holds. */
  readonly minimumWall?: WallStrength
  /** Absent: no keys, addresses or allowed hosts. */
  readonly outbound?: Outbound
}

export interface Folders {
  /** The folder in which the command was run: a relative data folder starts there. */
  readonly cwd: string
  /** The folder of the project. */
  readonly root: string
}

/**
 * The project's folder: from `LOOPWRIGHT_ROOT`, which the starting program sets, or the working directory.
 */
export function rootOf(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  return env.LOOPWRIGHT_ROOT || cwd
}

/** The named data folder, or the one in the project. */
export function dataFolderOf(named: string | undefined, { cwd, root }: Folders): string {
  return named ? path.resolve(cwd, named) : path.join(root, 'data')
}

const filePath = z
  .string()
  .max(4_096)
  .refine((text) => !text.includes('\0'))
const flag = optional(
  z
    .enum(['0', '1'])
    .transform((each) => each === '1')
    .default(false),
)

const schema = z.object({
  PORT: optional(
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((port) => port <= 65_535)
      .default(3000),
  ),
  HOST: optional(
    z
      .string()
      .regex(/^[A-Za-z0-9.:_-]{1,253}$/)
      .default('127.0.0.1'),
  ),
  LOOPWRIGHT_DATA: optional(filePath.optional()),
  LOOPWRIGHT_TOKEN: optional(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,512}$/)
      .optional(),
  ),
  LOOPWRIGHT_PUBLIC_URL: optional(z.string().transform(publicOriginIn).optional()),
  LOOPWRIGHT_DEMO_PACE: optional(
    z
      .string()
      .regex(/^\d{1,4}$/)
      .transform(Number)
      .default(40),
  ),
  LOOPWRIGHT_LOG_STEPS: flag,
  LOOPWRIGHT_MCP_CONFIG: optional(filePath.optional()),
  LOOPWRIGHT_NO_STDIO: flag,
  LOOPWRIGHT_SANDBOX: optional(z.enum(wallStrengths).optional()),
})

const wanted: Record<keyof z.output<typeof schema>, string> = {
  PORT: 'a number from 0 to 65535, as in PORT=3001',
  HOST: 'a name or address of this machine, as in HOST=127.0.0.1',
  LOOPWRIGHT_DATA: 'a folder, as in LOOPWRIGHT_DATA=./data',
  LOOPWRIGHT_TOKEN: 'at most 512 letters, digits and symbols without spaces',
  LOOPWRIGHT_PUBLIC_URL:
    'an http or https address without a path, as in LOOPWRIGHT_PUBLIC_URL=https://agents.example.com',
  LOOPWRIGHT_DEMO_PACE: 'a number of milliseconds up to 9999, as in LOOPWRIGHT_DEMO_PACE=40',
  LOOPWRIGHT_LOG_STEPS: '0 or 1, as in LOOPWRIGHT_LOG_STEPS=1',
  LOOPWRIGHT_MCP_CONFIG: 'a file, as in LOOPWRIGHT_MCP_CONFIG=./mcp.json',
  LOOPWRIGHT_NO_STDIO: '0 or 1, as in LOOPWRIGHT_NO_STDIO=1',
  LOOPWRIGHT_SANDBOX: 'process, runtime or system, as in LOOPWRIGHT_SANDBOX=system',
}

/**
 * Reads the variables; the error says in one sentence which of them is wrong.
 */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  folders: Folders,
): Result<Environment, string> {
  const read = schema.safeParse(env)
  if (!read.success) {
    const name = read.error.issues[0]?.path[0] as keyof typeof wanted // cast: the schema is flat, its keys are these
    return { ok: false, error: `${name} must be ${wanted[name]}.` }
  }
  const outbound = readOutbound(env)
  if (!outbound.ok) return outbound
  const {
    PORT,
    HOST,
    LOOPWRIGHT_DATA,
    LOOPWRIGHT_TOKEN,
    LOOPWRIGHT_PUBLIC_URL,
    LOOPWRIGHT_MCP_CONFIG,
    LOOPWRIGHT_SANDBOX,
  } = read.data
  const wide = loopback.has(HOST) ? undefined : wideFault(HOST, LOOPWRIGHT_TOKEN, LOOPWRIGHT_PUBLIC_URL)
  if (wide !== undefined) return { ok: false, error: wide }
  const value: Environment = {
    port: PORT,
    host: HOST,
    dataFolder: dataFolderOf(LOOPWRIGHT_DATA, folders),
    ...(LOOPWRIGHT_TOKEN !== undefined && { token: LOOPWRIGHT_TOKEN }),
    ...(LOOPWRIGHT_PUBLIC_URL !== undefined && { publicOrigin: LOOPWRIGHT_PUBLIC_URL }),
    paceMs: read.data.LOOPWRIGHT_DEMO_PACE,
    ...(read.data.LOOPWRIGHT_LOG_STEPS && { logsSteps: true }),
    ...(LOOPWRIGHT_MCP_CONFIG !== undefined && {
      mcpConfig: path.resolve(folders.cwd, LOOPWRIGHT_MCP_CONFIG),
    }),
    ...(read.data.LOOPWRIGHT_NO_STDIO && { noStdio: true }),
    ...(LOOPWRIGHT_SANDBOX !== undefined && { minimumWall: LOOPWRIGHT_SANDBOX }),
    outbound: outbound.value,
  }
  return { ok: true, value }
}

/** The shortest token allowed, in characters, when other machines can reach the server. */
const leastToken = 16

function wideFault(
  host: string,
  token: string | undefined,
  publicOrigin: string | undefined,
): string | undefined {
  const where = `HOST=${host} makes the server reachable from other machines`
  if (token === undefined)
    return `${where}: also set LOOPWRIGHT_TOKEN, to a secret of at least ${leastToken} characters.`
  if (token.length < leastToken)
    return `${where}: LOOPWRIGHT_TOKEN must have at least ${leastToken} characters.`
  if (publicOrigin === undefined)
    return `${where}: also set LOOPWRIGHT_PUBLIC_URL, to the address people open.`
  return undefined
}

function publicOriginIn(text: string, context: z.RefinementCtx): string {
  const origin = originOf(text)
  if (origin !== undefined) return origin
  context.addIssue('no plain origin')
  return z.NEVER
}

/** `LOOPWRIGHT_SANDBOX` alone, for the command line. */
export function readMinimumWall(
  env: Readonly<Record<string, string | undefined>>,
): Result<WallStrength | undefined, string> {
  const read = schema.shape.LOOPWRIGHT_SANDBOX.safeParse(env.LOOPWRIGHT_SANDBOX)
  if (read.success) return { ok: true, value: read.data }
  return { ok: false, error: `LOOPWRIGHT_SANDBOX must be ${wanted.LOOPWRIGHT_SANDBOX}.` }
}

/** The address at which a person reaches the server from this machine. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
