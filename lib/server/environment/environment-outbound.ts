/** Reads the environment variables for outbound requests: model providers and allowed private hosts. */
import { z } from 'zod'
import type { Result } from '#lib/spec/errors'
import type { Provider } from '#lib/spec/model'
import { addressVariable, endpointOfVariable, keyVariable } from '#lib/spec/variables'
import { type SearchEngine, searchEngines } from '#lib/spec/web-search'
import { providerName } from '#lib/wire/providers'
import { productParts } from '../parts'
import { servicesOf } from '../providers/homes'
import { readBaseUrl } from './base-url'

export interface Outbound {
  /** By the name of a service or of an added endpoint; the name of an endpoint has hyphens, no underscores. */
  readonly providers: Readonly<Record<string, Said | undefined>>
  /** `host:port` pairs in lower case, IPv6 addresses without brackets. */
  readonly allowHosts: readonly string[]
  /** The search services that are set up; absent when there are none. */
  readonly search?: SearchEnvironment
}

/** By service. */
export type SearchEnvironment = Readonly<Partial<Record<SearchEngine, Said>>>

interface Said {
  readonly key?: string
  readonly baseUrl?: string
}

export const nothingSaid: Outbound = { providers: {}, allowHosts: [] }

/** An empty variable counts as absent, as in `PORT= npm start`. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema)

/** The characters that an HTTP header can carry. */
const key = optional(
  z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,4096}$/)
    .optional(),
)
const address = optional(z.string().transform(addressIn).optional())
const hosts = optional(z.string().transform(hostsIn).optional())

type Env = Readonly<Record<string, string | undefined>>

/** The error says in one sentence which variable is wrong. */
export function readOutbound(
  env: Env,
  providers: readonly Provider[] = productParts.providers,
): Result<Outbound, string> {
  const said: Record<string, Said> = {}
  for (const { id, service } of servicesOf(providers)) {
    const read = readSaid(env, id, addressVariable(id), service?.baseUrl ?? '')
    if (!read.ok) return read
    said[id] = read.value
  }
  for (const [variable, name] of endpointsIn(env)) {
    if (!providerName.safeParse(name).success)
      return { ok: false, error: `${variable} names no endpoint: ${nameRule}` }
    if (providers.some(({ id }) => id === name)) return { ok: false, error: reservedName(variable, name) }
    const read = readSaid(env, name, variable, 'http://127.0.0.1:11434/v1')
    if (!read.ok) return read
    said[name] = read.value
  }
  const hostsName = 'LOOPWRIGHT_ALLOW_HOSTS'
  const allowed = readVariable(env, hostsName, hosts)
  if (!allowed.ok)
    return wrong(
      hostsName,
      `a list of hosts with their ports, as in ${hostsName}=127.0.0.1:8080,printer.local:80`,
    )
  const search = readSearch(env)
  if (!search.ok) return search
  return { ok: true, value: { providers: said, allowHosts: allowed.value ?? [], ...search.value } }
}

const nameRule =
  'its name may contain only letters, digits and single underscores, as in LOOPWRIGHT_ENDPOINT_LM_STUDIO.'

function reservedName(variable: string, name: string): string {
  return `${variable} cannot be used, because ${name} is a provider of Loopwright itself. Set ${addressVariable(name)}, or use another name.`
}

/** The variables with addresses of added endpoints, and the names of the endpoints. */
function endpointsIn(env: Env): [string, string][] {
  return Object.entries(env).flatMap(([variable, text]): [string, string][] => {
    const name = endpointOfVariable(variable)
    return name === undefined || text === undefined || text === '' ? [] : [[variable, name]]
  })
}

/** The key and the address of one provider. */
function readSaid(env: Env, name: string, addressName: string, example: string): Result<Said, string> {
  const keyName = keyVariable(name)
  const given = readVariable(env, keyName, key)
  if (!given.ok) return wrong(keyName, 'a key: letters, digits and symbols without spaces')
  const baseUrl = readVariable(env, addressName, address)
  if (!baseUrl.ok) return wrong(addressName, `an http or https address, as in ${addressName}=${example}`)
  const value = {
    ...(given.value !== undefined && { key: given.value }),
    ...(baseUrl.value !== undefined && { baseUrl: baseUrl.value }),
  }
  return { ok: true, value }
}

/** `SEARXNG_BASE_URL`, `BRAVE_API_KEY` and `TAVILY_API_KEY`, each with its address or key as well. */
function readSearch(env: Env): Result<Pick<Outbound, 'search'>, string> {
  const search: { -readonly [engine in keyof SearchEnvironment]: SearchEnvironment[engine] } = {}
  for (const engine of searchEngines) {
    const said = readSaid(env, engine, addressVariable(engine), 'http://127.0.0.1:8080')
    if (!said.ok) return said
    if ((engine === 'searxng' ? said.value.baseUrl : said.value.key) !== undefined)
      search[engine] = said.value
  }
  return { ok: true, value: Object.keys(search).length > 0 ? { search } : {} }
}

function readVariable<T>(env: Env, name: string, schema: z.ZodType<T>): Result<T, undefined> {
  const read = schema.safeParse(env[name])
  return read.success ? { ok: true, value: read.data } : { ok: false, error: undefined }
}

function wrong(name: string, wanted: string): Result<never, string> {
  return { ok: false, error: `${name} must be ${wanted}.` }
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

/** In the form of a URL's host name, since it is compared with those. */
function hostIn(text: string): string | undefined {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+):(\d{1,5})$/i.exec(text) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535 || !URL.canParse(`http://${host}`))
    return undefined
  const { hostname } = new URL(`http://${host}`)
  return `${hostname.replace(/^\[|\]$|\.$/g, '')}:${Number(port)}`
}
