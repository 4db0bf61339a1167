/** Arbitrary configs for the laws of the round trip, and arbitrary settings of their parts. */
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { builtinNames, catalog } from './catalog.fixture'
import { kindAt, kindOf, portsBetween } from './kinds'
import { globsOf, scopesOf } from './scope'

export type Arb<T> = fc.Arbitrary<T>

/** Globs that match no tool, so that entries may share them without offering a tool twice. */
const strayGlobs = ['shell.*', 'web.*', 'web.search', 'files.view']
export const whole = fc.integer({ min: -5_000, max: 5_000 })
const pair = fc.tuple(whole, whole)
export const junkObject: Arb<JsonObject> = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }) as Arb<JsonValue>, { maxKeys: 4 }) // cast: fast-check's own JSON type
  .map((each) => ({ ...each }))

export const agentArb = fc.record(
  {
    name: fc.constantFrom('a', 'retail-analyst', 'x-9'),
    title: fc.constantFrom('', 'Title'),
    description: fc.constantFrom('', 'Some words'),
    instructions: fc.constantFrom('', 'Do it.\nWell, {{name}}.'),
  },
  { requiredKeys: ['name'] },
)

export const modelArb: Arb<JsonObject> = fc.oneof(
  fc.record(
    {
      provider: fc.constant('scripted'),
      name: fc.constantFrom('demo', 'script'),
      stream: fc.boolean(),
      turns: fc.array(junkObject, { maxLength: 2 }),
    },
    { requiredKeys: ['provider', 'name'] },
  ) as Arb<JsonObject>, // cast: JSON throughout
  fc.record(
    { provider: fc.constant('other'), name: fc.constantFrom('m1', 'm2'), temperature: fc.constantFrom(0, 1) },
    { requiredKeys: ['provider', 'name'] },
  ) as Arb<JsonObject>, // cast: JSON throughout
)

const locale = fc.constantFrom('en', 'zh')
export const protocolArb = fc.oneof(
  fc.record(
    { locale, resultPlacement: fc.constant('tool_message'), format: fc.constant('native') },
    { requiredKeys: [] },
  ),
  fc.record(
    { resultPlacement: fc.constantFrom('user_message', 'inline'), format: fc.constant('xml'), locale },
    { requiredKeys: ['format'] },
  ),
) as Arb<JsonObject> // cast: JSON throughout

const skillsArb: Arb<JsonObject[]> = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('notes', 'pdf-forms', 'x1'),
    hash: fc.constantFrom('a', 'b').map((letter) => `sha256:${letter.repeat(64)}`),
  }),
  { maxLength: 3, selector: ({ name }) => name },
)

/** Groups of different names, for each tool entry the number of its group, if that exists, and skills. */
export const groupsArb = fc.record({
  groups: fc.uniqueArray(
    fc.record(
      {
        name: fc.constantFrom('web', 'more-files', 'x_1'),
        description: fc.constantFrom('', 'What for'),
        notes: fc.constantFrom('', 'How\nto'),
        active: fc.boolean(),
      },
      { requiredKeys: ['name'] },
    ),
    { maxLength: 3, selector: ({ name }) => name },
  ),
  members: fc.array(fc.nat(4), { minLength: 8, maxLength: 8 }),
  skills: skillsArb,
})

export const outputArb: Arb<JsonObject> = fc.record({
  schema: fc.constantFrom<JsonObject>({}, { type: 'object', required: ['b'], properties: { b: {}, a: {} } }),
})

const common = {
  preset: fc.constantFrom<JsonObject>(
    {},
    { 'sql.execute': { database: 'retail' } },
    { z: {}, a: { b: [1, { c: null }] } },
  ),
  timeoutSeconds: fc.constantFrom(5, 0.5),
  description: fc.constantFrom<JsonObject>({}, { 'sql.execute': 'Asks the database.' }),
  rename: fc.constantFrom<JsonObject>({}, { z: 'y', a: 'b.c' }),
  retry: fc.constantFrom<JsonObject>({}, { max: 2 }, { backoffMs: 0, max: 9 }),
  final: fc.boolean(),
  background: fc.boolean(),
  onDuplicate: fc.constantFrom('raise', 'skip'),
}

/** Schemas whose keys a person put in a certain order, which must be kept. */
const freeParameters = fc.constantFrom<JsonObject | undefined>(
  undefined,
  { type: 'object' },
  {
    required: ['z'],
    type: 'object',
    properties: { z: { type: 'string' }, a: { default: {}, type: 'object' } },
  },
  { properties: {}, type: 'object', additionalProperties: false, title: '' },
)

/** Tool configs by kind; no catalog tool is in two of them. */
export const toolConfigs: Arb<{ kind: string; config: JsonObject }[]> = fc
  .record({
    owners: fc.tuple(...builtinNames.map(() => fc.integer({ min: -1, max: 3 }))),
    schemaGlob: fc.boolean(),
    strays: fc.array(fc.subarray(strayGlobs), { minLength: 4, maxLength: 4 }),
    enables: fc.array(fc.uniqueArray(fc.constantFrom('echo', 'add', 'get*'), { maxLength: 2 }), {
      maxLength: 2,
    }),
    https: fc.uniqueArray(fc.constantFrom('get_weather', 'slugify', 'web.search2'), { maxLength: 2 }),
    codes: fc.uniqueArray(fc.constantFrom('text.slugify', 'count'), { maxLength: 2 }),
    free: freeParameters,
    extras: fc.array(fc.record(common, { requiredKeys: [] }), { minLength: 10, maxLength: 10 }),
    order: fc.array(fc.nat(), { minLength: 10, maxLength: 10 }),
    method: fc.constantFrom('GET', 'POST'),
    defaults: fc.boolean(),
  })
  .map(({ owners, schemaGlob, strays, enables, https, codes, free, extras, order, method, defaults }) => {
    const entries: { kind: string; config: JsonObject }[] = []
    for (let index = 0; index < 4; index += 1) {
      const names: string[] = builtinNames.filter((_, n) => owners[n] === index)
      const own = schemaGlob ? names.filter((name) => !name.startsWith('schema.')) : names
      if (schemaGlob && owners[0] === index) own.unshift('schema.*')
      const tools = [...own, ...(strays[index] ?? [])]
      if (tools.length > 0 || index === 0) entries.push({ kind: 'tool:builtin', config: { tools } })
    }
    enables.forEach((enable, index) => {
      entries.push({
        kind: 'tool:mcp',
        config: { server: `s${index}`, ...(enable.length > 0 || defaults ? { enable } : {}) },
      })
    })
    for (const name of https) {
      entries.push({
        kind: 'tool:http',
        config: { name, method, ...(defaults ? { parameters: { type: 'object' } } : {}) },
      })
    }
    for (const name of codes) {
      entries.push({
        kind: 'tool:code',
        config: {
          source: 'return 1\n',
          name,
          ...(free === undefined ? {} : { parameters: free }),
          ...(defaults ? { language: 'javascript' } : {}),
        },
      })
    }
    const mixed = entries.map((entry, index) => ({ entry, extra: extras[index], key: order[index] ?? 0 }))
    mixed.sort((a, b) => a.key - b.key)
    return mixed.map(({ entry, extra }) => ({
      kind: entry.kind,
      config: { ...extra, ...entry.config } as JsonObject,
    })) // cast: JSON throughout
  })

export const policyArb: Arb<{ kind: string; config: JsonObject }> = fc.oneof(
  settings('skills', {
    allow: fc.constantFrom([], ['sql.*']),
    deny: fc.constantFrom([], ['time.now', 'none.*']),
  }),
  settings('steps', { max: fc.constantFrom(10, 3) }),
  settings('results', { maxChars: fc.constantFrom(10_000, 50) }),
  settings('timeout', {
    seconds: fc.constantFrom(30, 4),
    wait: fc.constantFrom({}, { first: 1 }, { first: 1, last: 2 }, { first: 5 }),
  }),
  settings('execution', { strategy: fc.constantFrom('sequential', 'parallel') }),
)

function settings(
  use: string,
  keys: Record<string, Arb<unknown>>,
): Arb<{ kind: string; config: JsonObject }> {
  return fc
    .record(keys, { requiredKeys: [] })
    .map((config) => ({ kind: `policy:${use}`, config: config as JsonObject })) // cast: JSON throughout
}

export const noteArb = fc.record(
  { text: fc.string(), at: pair, size: pair },
  { requiredKeys: ['text', 'at'] },
)

export const frameArb = fc.record({ title: fc.string({ maxLength: 20 }), at: pair, size: pair })

/**
 * How a scoped policy's globs are chosen: not at all, as some entries list them, in another order, or freely.
 */
export const scopeArb = fc.record({
  how: fc.constantFrom('none', 'entries', 'closed', 'reversed', 'free'),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  free: fc.uniqueArray(
    fc.constantFrom('sql.*', 'shell.*', 'web.*', 'math.calculate', 's0.*', 'get_weather'),
    {
      minLength: 1,
    },
  ),
})
type Choice = typeof scopeArb extends Arb<infer T> ? T : never

export function chosenGlobs(
  choice: Choice,
  tools: readonly { kind: string; config: JsonObject }[],
): string[] | undefined {
  if (choice.how === 'none') return undefined
  if (choice.how === 'free' || tools.length === 0) return choice.free
  const scopes = scopesOf(
    tools.map(({ kind, config }) => {
      const known = kindOf(catalog, kind)
      return known === undefined ? [] : globsOf(config, known)
    }),
  )
  const picked = scopes.union(new Set(choice.picks.map((pick) => pick % tools.length)))
  const globs = choice.how === 'closed' ? scopes.union(scopes.covered(picked)) : picked
  if (globs.length === 0) return undefined
  return choice.how === 'reversed' ? globs.toReversed() : globs
}

const parkedArb = fc.record({
  kind: fc.constantFrom(
    'tool:builtin',
    'tool:mcp',
    'policy:results',
    'policy:steps',
    'model',
    'protocol',
    'output',
    'group',
    'skill',
    'tool:later',
    'policy:later',
  ),
  config: junkObject,
  at: fc.option(pair, { nil: undefined }),
  disabled: fc.boolean(),
  toAgent: fc.boolean(),
  links: fc.array(fc.nat(), { maxLength: 4 }),
})
type Parked = typeof parkedArb extends Arb<infer T> ? T : never

/** Wires of parked entries, each under its right holder. Entries parked as unwired lead to no live node. */
function parkedWires(
  parked: readonly Parked[],
  live: readonly { path: string; kind: string }[],
): { from: string; to: string }[][] {
  const wires = parked.map((): { from: string; to: string }[] => [])
  const all = [...live, ...parked.map(({ kind }, index) => ({ path: `parked/${index}`, kind }))]
  const seen = new Set<string>()
  const add = (holder: number, from: { path: string; kind: string }, to: { path: string; kind: string }) => {
    const key = `${from.path} ${to.path}`
    if (from.path === to.path || seen.has(key) || portsBetween(catalog, from.kind, to.kind) === undefined)
      return
    if (to.kind.endsWith(':later') && !from.kind.startsWith('policy')) return
    seen.add(key)
    wires[holder]?.push({ from: from.path, to: to.path })
  }
  parked.forEach((entry, index) => {
    const own = { path: `parked/${index}`, kind: entry.kind }
    const agent = { path: 'agent', kind: 'agent' }
    if (entry.disabled && entry.toAgent) {
      add(index, own, agent)
      add(index, agent, own)
    }
    for (const link of entry.links) {
      const other = all[link % all.length]
      if (other === undefined) continue
      if (other.path.startsWith('parked/') || entry.disabled) add(index, own, other)
      const isWoken = other.path === 'agent' && !entry.disabled
      if (!other.path.startsWith('parked/') && !isWoken) add(index, other, own)
    }
  })
  return wires
}

export const configArb: Arb<JsonObject> = fc
  .record({
    agent: agentArb,
    model: fc.option(modelArb, { nil: undefined }),
    protocol: fc.option(protocolArb, { nil: undefined }),
    output: fc.option(outputArb, { nil: undefined }),
    tools: toolConfigs,
    policies: fc.array(fc.tuple(policyArb, scopeArb), { maxLength: 5 }),
    grouping: groupsArb,
    places: fc.array(fc.option(pair, { nil: undefined }), { minLength: 24, maxLength: 24 }),
    notes: fc.array(noteArb, { maxLength: 2 }),
    frames: fc.array(frameArb, { maxLength: 2 }),
    parked: fc.array(parkedArb, { maxLength: 4 }),
    stated: fc.boolean(),
    seed: fc.nat(),
  })
  .map((given) => {
    const { agent, model, protocol, output, tools, policies, places, notes, frames, parked, stated, seed } =
      given
    const { groups, members, skills } = given.grouping
    const groupAt = (index: number) => groups[members[index % members.length] ?? groups.length]?.name
    const entries = policies.map(([{ kind, config }, choice]): JsonObject => {
      const globs = kindOf(catalog, kind)?.scoped === true ? chosenGlobs(choice, tools) : undefined
      return {
        ...config,
        use: kind.slice('policy:'.length),
        ...(globs === undefined ? {} : { appliesTo: globs }),
      }
    })
    const live = [
      { path: 'agent', kind: 'agent' },
      ...(model === undefined ? [] : [{ path: 'model', kind: 'model' }]),
      ...(protocol === undefined ? [] : [{ path: 'protocol', kind: 'protocol' }]),
      ...(output === undefined ? [] : [{ path: 'output', kind: 'output' }]),
      ...tools.map(({ kind }, index) => ({ path: `tools/${index}`, kind })),
      ...entries.map(({ use }, index) => ({
        path: `policies/${index}`,
        kind: kindAt(catalog, 'policies', String(use))?.kind ?? '',
      })),
      ...groups.map((_, index) => ({ path: `groups/${index}`, kind: 'group' })),
      ...skills.map((_, index) => ({ path: `skills/${index}`, kind: 'skill' })),
    ]
    const wires = parkedWires(parked, live)
    const named = [
      ...live.map(({ path }) => path),
      ...parked.map((_, index) => `parked/${index}`),
    ].toReversed()
    const canvas: JsonObject = {
      notes: notes.map((note) => ({ ...note }) as JsonObject), // cast: JSON throughout
      look: {
        frames: frames.map((frame) => ({ ...frame }) as JsonObject), // cast: JSON throughout
        titles: Object.fromEntries(
          named.flatMap((path, index) => (places[index] && index % 3 === 0 ? [[path, `Part ${index}`]] : [])),
        ),
      },
      parked: parked.map(({ kind, config, at, disabled }, index) => ({
        wires: wires[index] ?? [],
        config,
        kind,
        why: disabled ? 'disabled' : 'unwired',
        ...(at === undefined ? {} : { at }),
      })),
      at: Object.fromEntries(
        named.flatMap((path, index): [string, JsonValue][] => (places[index] ? [[path, places[index]]] : [])),
      ),
    }
    const config: JsonObject = {
      canvas,
      policies: entries,
      tools: tools.map(({ kind, config: entry }, index) => {
        const group = groupAt(index)
        return { ...entry, use: kind.slice('tool:'.length), ...(group !== undefined && { group }) }
      }),
      ...(skills.length > 0 && { skills }),
      ...(groups.length > 0 && { groups: groups.map((each) => ({ ...each }) as JsonObject) }), // cast: JSON throughout
      ...(output === undefined ? {} : { output }),
      ...(protocol === undefined ? {} : { protocol }),
      ...(model === undefined ? {} : { model }),
      ...agent,
      ...(stated ? { version: 1 } : {}),
    }
    return shuffled(config, seed)
  })

/** The same config with its own keys in another order. */
function shuffled(config: JsonObject, seed: number): JsonObject {
  const keys = Object.keys(config)
  const turn = seed % keys.length
  return Object.fromEntries(
    [...keys.slice(turn), ...keys.slice(0, turn)].map((key): [string, JsonValue] => [
      key,
      config[key] ?? null,
    ]),
  )
}
