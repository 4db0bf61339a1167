import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { canonicalForHash } from './canonical'
import { catalog } from './catalog.fixture'
import { configArb } from './configs.fixture'
import { type ConfigChange, diffConfigs, diffLines } from './diff'

const base: JsonObject = {
  name: 'analyst',
  instructions: 'Answer questions.\nRead the schema first.\nBe brief.',
  model: { provider: 'other', name: 'small' },
  tools: [
    { use: 'builtin', tools: ['schema.*', 'sql.execute'] },
    { use: 'http', name: 'get_weather', method: 'GET' },
    { use: 'code', name: 'slugify', source: 'return 1' },
  ],
  policies: [
    { use: 'results', maxChars: 10_000 },
    { use: 'timeout', seconds: 30 },
    { use: 'steps', max: 5 },
  ],
}

const changes = (after: JsonObject, before: JsonObject = base) => diffConfigs(before, after, catalog)
const texts = (after: JsonObject, before?: JsonObject) => changes(after, before).map((each) => each.text)
const hashed = (config: JsonObject) => canonicalForHash(config, catalog.schema)
const countOf = (found: readonly ConfigChange[], kind: ConfigChange['kind']) =>
  found.filter((each) => each.kind === kind).length

const entriesOf = (key: 'tools' | 'policies') => base[key] as JsonObject[] // cast: as written above

/** For arbitrary configs, on a machine that may be busy. */
const patience = { timeout: 60_000 }

describe('the semantic diff of two configs', () => {
  it('is empty for a config and itself, however its keys are ordered and wherever it is drawn', () => {
    fc.assert(
      fc.property(configArb, (config) => {
        const { canvas: _, ...rest } = config
        const turned = Object.fromEntries(Object.entries(rest).toReversed())
        expect(diffConfigs(config, { ...turned, canvas: { at: { agent: [5, 5] } } }, catalog)).toEqual([])
      }),
    )
  })

  it('is empty exactly when the canonical bytes without canvas are the same', () => {
    fc.assert(
      fc.property(configArb, configArb, (a, b) => {
        expect(diffConfigs(a, b, catalog).length === 0).toBe(hashed(a) === hashed(b))
      }),
    )
  })

  it('read the other way round has as many added as there were removed', patience, () => {
    fc.assert(
      fc.property(configArb, configArb, (a, b) => {
        const [there, back] = [diffConfigs(a, b, catalog), diffConfigs(b, a, catalog)]
        expect(countOf(there, 'added')).toBe(countOf(back, 'removed'))
        expect(countOf(there, 'removed')).toBe(countOf(back, 'added'))
      }),
    )
  })

  it('tells a setting by its entry, with its value before and after, a default by what it is', () => {
    expect(
      texts({ ...base, policies: [{ use: 'results', maxChars: 4_000 }, ...entriesOf('policies').slice(1)] }),
    ).toEqual(['results: maxChars 10,000 → 4,000'])
    const [change] = changes({
      ...base,
      policies: [entriesOf('policies')[0] ?? {}, { use: 'timeout', seconds: 4 }, { use: 'steps', max: 5 }],
    })
    expect(change).toMatchObject({
      kind: 'changed',
      before: 'policies/1/seconds',
      after: 'policies/1/seconds',
      text: 'timeout: Time limit 30 s → 4 s',
      is: 4,
    })
  })

  it('tells entries that came and went by their names', () => {
    const [builtin, weather, slugify] = entriesOf('tools')
    expect(texts({ ...base, tools: [builtin, slugify] as JsonObject[] })).toEqual(['get_weather removed'])
    expect(texts(base, { ...base, tools: [weather, slugify] as JsonObject[] })).toEqual([
      'schema.* and 1 more added',
    ])
    const { model: _, ...bare } = base
    expect(texts(base, bare)).toEqual(['Model added'])
  })

  it('tells what changed in a list of names', () => {
    const tools = [{ use: 'builtin', tools: ['schema.*', 'time.now'] }, ...entriesOf('tools').slice(1)]
    expect(texts({ ...base, tools })).toEqual(['Built-in tools: tools time.now added, sql.execute removed'])
  })

  it('keeps an entry that was renamed, edited and moved apart from one that merely stayed', () => {
    const [results, timeout, steps] = entriesOf('policies')
    const moved = changes({ ...base, policies: [steps, results, timeout] as JsonObject[] })
    expect(moved.map(({ kind, text }) => [kind, text])).toEqual([
      ['moved', 'steps moved from 3rd to 1st place'],
    ])
    // An entry inserted before others does not move them.
    const put = changes({ ...base, policies: [{ use: 'budget', tokens: 9 }, ...entriesOf('policies')] })
    expect(put.map(({ kind, after }) => [kind, after])).toEqual([['added', 'policies/0']])
  })

  it('of several entries of one kind changes the one most alike', () => {
    const before: JsonObject = {
      ...base,
      policies: [
        { use: 'budget', tokens: 1 },
        { use: 'budget', tokens: 2, calls: 7 },
      ],
    }
    const after: JsonObject = { ...base, policies: [{ use: 'budget', tokens: 3, calls: 7 }] }
    expect(texts(after, before)).toEqual(['budget removed', 'budget: tokens 2 → 3'])
  })

  it('tells a long text by its lines', () => {
    const [change] = changes({ ...base, instructions: 'Answer questions.\nAsk first.\nBe brief.' })
    expect(change?.text).toBe('Instructions changed')
    expect(change?.lines).toEqual([
      { kind: 'same', text: 'Answer questions.' },
      { kind: 'removed', text: 'Read the schema first.' },
      { kind: 'added', text: 'Ask first.' },
      { kind: 'same', text: 'Be brief.' },
    ])
  })

  it('counts what stands twice in a list', () => {
    const listing = (tools: string[]): JsonObject => ({ ...base, tools: [{ use: 'builtin', tools }] })
    const [once, twice] = [listing(['sql.execute']), listing(['sql.execute', 'sql.execute'])]
    expect(texts(once, twice)).toEqual([expect.stringMatching(/ sql\.execute removed$/)])
    expect(texts(twice, once)).toEqual([expect.stringMatching(/ sql\.execute added$/)])
  })

  it('sees names of free-form values in another order, since the file keeps it', () => {
    const tool = (parameters: JsonObject): JsonObject => ({
      ...base,
      tools: [{ use: 'http', name: 'x', parameters }],
    })
    const [change] = diffConfigs(
      tool({ type: 'object', a: 1, b: 2 }),
      tool({ type: 'object', b: 2, a: 1 }),
      catalog,
    )
    expect(change?.text).toBe('x: parameters in another order')
  })
})

describe('lines', () => {
  const lineArb = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((each) => each.join('\n'))

  it('give back both texts', () => {
    fc.assert(
      fc.property(lineArb, lineArb, (before, after) => {
        const lines = diffLines(before, after)
        const side = (left: 'added' | 'removed') =>
          lines.filter((each) => each.kind !== left).map((each) => each.text)
        expect(side('added').join('\n')).toBe(before)
        expect(side('removed').join('\n')).toBe(after)
      }),
    )
  })

  it('of very long texts are told as replaced rather than compared for long', () => {
    const long = (sign: string) => Array.from({ length: 5_000 }, (_, index) => `${sign}${index}`).join('\n')
    const lines = diffLines(`head\n${long('a')}`, `head\n${long('b')}`)
    expect(lines).toHaveLength(10_001)
  })
})
