/** What the operator's environment says of the world outside: providers of models, and private hosts that tools may reach. */
import { z } from 'zod'
import type { Result } from '#lib/spec/errors'
import { readBaseUrl } from './base-url'

export interface Outbound {
  /** By the provider's name. */
  readonly providers: Readonly<
    Record<string, { readonly key?: string; readonly baseUrl?: string } | undefined>
  >
  /** `host:port` pairs in small letters, IPv6 addresses without brackets. */
  readonly allowHosts: readonly string[]
}

export const nothingSaid: Outbound = { providers: {}, allowHosts: [] }

/** An empty variable counts as absent, as in `PORT= npm start`. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

/** What a header can hold. */
const key = optional(
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,4096}$/)
    .optional(),
)
const address = optional(z.string().transform(addressIn).optional())

export const outboundShape = {
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: address,
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: address,
  LOOPWRIGHT_ALLOW_HOSTS: optional(z.string().transform(hostsIn).optional()),
}

const schema = z.object(outboundShape)
type Variables = z.output<typeof schema>

export const outboundWanted: Record<keyof Variables, string> = {
  OPENAI_API_KEY: 'a key: letters, digits and signs without spaces',
  OPENAI_BASE_URL: 'an http or https address, as in OPENAI_BASE_URL=https://api.openai.com/v1',
  ANTHROPIC_API_KEY: 'a key: letters, digits and signs without spaces',
  ANTHROPIC_BASE_URL: 'an http or https address, as in ANTHROPIC_BASE_URL=https://api.anthropic.com',
  LOOPWRIGHT_ALLOW_HOSTS:
    'a list of hosts with their ports, as in LOOPWRIGHT_ALLOW_HOSTS=127.0.0.1:8080,printer.local:80',
}

/** For the command line, which reads no other variables; the error says in one sentence which of them is wrong. */
export function readOutbound(env: Readonly<Record<string, string | undefined>>): Result<Outbound, string> {
  const read = schema.safeParse(env)
  if (read.success) return { ok: true, value: outboundOf(read.data) }
  const name = read.error.issues[0]?.path[0] as keyof Variables // cast: the schema is flat, its keys are these
  return { ok: false, error: `${name} must be ${outboundWanted[name]}.` }
}

export function outboundOf(said: Variables): Outbound {
  return {
    providers: {
      openai: saidOf(said.OPENAI_API_KEY, said.OPENAI_BASE_URL),
      anthropic: saidOf(said.ANTHROPIC_API_KEY, said.ANTHROPIC_BASE_URL),
    },
    allowHosts: said.LOOPWRIGHT_ALLOW_HOSTS ?? [],
  }
}

function saidOf(given: string | undefined, baseUrl: string | undefined): { key?: string; baseUrl?: string } {
  return { ...(given !== undefined && { key: given }), ...(baseUrl !== undefined && { baseUrl }) }
}

function addressIn(text: string, context: z.RefinementCtx): string {
  const read = readBaseUrl(text)
  if (read.ok) return read.value
  context.addIssue('no address')
  return z.NEVER
}

function hostsIn(text: string, context: z.RefinementCtx): string[] {
  const hosts = text
    .split(/[\s,]+/)
    .filter((each) => each !== '')
    .map(hostIn)
  if (hosts.every((each) => each !== undefined)) return [...new Set(hosts)]
  context.addIssue('no list of hosts')
  return z.NEVER
}

/** In the form in which URLs name a host, since it is compared with those. */
function hostIn(text: string): string | undefined {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(text) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535 || !URL.canParse(`http://${host}`))
    return undefined
  const { hostname } = new URL(`http://${host}`)
  return `${hostname.replace(/^\[|\]$|\.$/g, '')}:${Number(port)}`
}
