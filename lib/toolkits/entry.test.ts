import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolEntry } from '#lib/spec/config'
import { closedPorts } from '#lib/spec/ports.fixture'
import { type Tool, type ToolContext, text, tool } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { builtin } from './builtin'
import { openEntry } from './entry'

const echo = tool({
  name: 'say.echo',
  label: 'Echo',
  description: 'Says what it was given.',
  icon: 'megaphone',
  risk: 'read',
  timeoutSeconds: 7,
  input: z.object({ word: z.string(), loud: z.boolean().optional(), secret: z.string() }),
  run: async (args) => text(JSON.stringify(args)),
})
const named = (name: string): Tool => ({ ...echo, name })
const script: Tool = {
  ...named('c.script'),
  risk: 'write',
  effect: 'effect',
  reading: { description: 'Only reads.', run: async () => text('it may only read') },
}
const saves: Tool = { ...named('c.save'), risk: 'write', effect: 'idempotent' }
const tools = [named('a.one'), named('a.two'), named('b.one'), echo, script, saves]

const entry = (more: Partial<ToolEntry>): ToolEntry => ({ use: 'builtin', preset: {}, ...more })
const answer = (more: Partial<ToolEntry>) =>
  openEntry({ toolkit: builtin, entry: entry(more), index: 2 }, { tools })
async function open(more: Partial<ToolEntry>): Promise<BoundTool[]> {
  const opened = await answer(more)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  return opened.value
}
const bodyContext: ToolContext = {
  callId: 'c',
  run: { id: null, agent: { id: null, name: 'tester' }, thread: null, step: 0 },
  inLine: (_, wait) => wait(() => undefined),
  signal: new AbortController().signal,
  now: () => 0,
  progress() {},
  created() {},
  ports: closedPorts,
}

describe('a builtin entry', () => {
  it.each([
    [
      ['b.*', 'a.*'],
      ['b.one', 'a.one', 'a.two'],
    ],
    [
      ['a.two', 'a.*'],
      ['a.two', 'a.one'],
    ],
    [['*'], ['a.one', 'a.two', 'b.one', 'say.echo', 'c.script', 'c.save']],
    [['a'], []],
    [['none.*', 'b.one'], ['b.one']],
  ])('S0-09 S0-11 %j offers %j: in the order of the globs, each once', async (globs, names) => {
    expect((await open({ tools: globs })).map((each) => each.name)).toEqual(names)
  })

  it('S1-30 names its node and source, and keeps the tool’s own time limit unless it has one', async () => {
    const [own] = await open({ tools: ['say.echo'] })
    expect(own).toMatchObject({
      node: 'tools/2',
      source: 'builtin',
      scopeName: 'say.echo',
      timeoutSeconds: 7,
      effect: 'read',
    })
    const [limited] = await open({ tools: ['say.echo'], timeoutSeconds: 90 })
    expect(limited?.timeoutSeconds).toBe(90)
  })
})

describe('preset arguments', () => {
  const preset = { 'say.echo': { secret: 'ours' } }

  it('S4-13 E-47 are hidden from the schema and from what is required', async () => {
    const [bound] = await open({ tools: ['say.echo'], preset })
    expect(bound?.parameters).toEqual({
      type: 'object',
      properties: { word: { type: 'string' }, loud: { type: 'boolean' } },
      required: ['word'],
      additionalProperties: false,
    })
    expect(bound?.preset).toEqual(['secret'])
    expect(JSON.stringify(bound)).not.toContain('ours')
    expect(echo.parameters.required).toEqual(['word', 'secret'])
  })

  it('S4-13 leave no empty list of what is required', async () => {
    const [bound] = await open({ tools: ['say.echo'], preset: { 'say.echo': { secret: 'a', word: 'b' } } })
    expect(bound?.parameters).not.toHaveProperty('required')
  })

  it('X-22 E-49 win over what the model sends', async () => {
    const [bound] = await open({ tools: ['say.echo'], preset })
    const sent = { word: 'hi', secret: 'theirs' }
    expect(await bound?.run(sent, bodyContext)).toEqual(text(JSON.stringify({ word: 'hi', secret: 'ours' })))
    expect(sent).toEqual({ word: 'hi', secret: 'theirs' })
  })

  it('belong to one tool alone', async () => {
    const bound = await open({ tools: ['a.one', 'say.echo'], preset })
    expect(Object.keys(bound[0]?.parameters.properties ?? {})).toContain('secret')
  })
})

describe('the class an entry gives its tools', () => {
  const classes = (bound: readonly BoundTool[]) =>
    bound.map(({ name, risk, effect }) => `${name} ${risk} ${effect}`)

  it('is their own unless it says otherwise', async () => {
    expect(classes(await open({ tools: ['a.one', 'c.*'] }))).toEqual([
      'a.one read read',
      'c.script write effect',
      'c.save write idempotent',
    ])
  })

  it('may be higher for any tool', async () => {
    expect(classes(await open({ tools: ['a.one', 'c.*'], risk: 'admin' }))).toEqual([
      'a.one admin effect',
      'c.script admin effect',
      'c.save admin idempotent',
    ])
    expect(classes(await open({ tools: ['a.one'], risk: 'write', effect: 'read' }))).toEqual([
      'a.one write read',
    ])
    expect(classes(await open({ tools: ['a.one', 'c.save'], effect: 'effect' }))).toEqual([
      'a.one write effect',
      'c.save write effect',
    ])
  })

  it.each([{ risk: 'read' }, { effect: 'read' }, { risk: 'read', effect: 'read' }] as const)(
    'with %j holds those to reading that can be held to it, tool by tool',
    async (given) => {
      const bound = await open({ tools: ['a.one', 'c.script'], ...given })
      expect(classes(bound)).toEqual(['a.one read read', 'c.script read read'])
      expect(bound.map(({ description }) => description)).toEqual([echo.description, 'Only reads.'])
      expect(await bound[1]?.run({}, bodyContext)).toEqual(text('it may only read'))
    },
  )

  it('can not be lower than what the tools do: the settings at fault are named with the tools', async () => {
    const refused = async (more: Partial<ToolEntry>) => {
      const opened = await answer({ tools: ['a.one', 'c.*'], ...more })
      return opened.ok ? [] : opened.error.map(({ code, path, message }) => [code, path, message])
    }
    expect(await refused({ risk: 'read' })).toEqual([
      ['class_lowered', 'tools/2/risk', expect.stringContaining('“c.save” cannot be lowered to “read”')],
    ])
    expect(await refused({ effect: 'idempotent' })).toEqual([
      ['class_lowered', 'tools/2/effect', expect.stringContaining('“c.script” cannot be lowered')],
    ])
    expect(await refused({ risk: 'read', effect: 'effect' })).toEqual([
      ['class_contradiction', 'tools/2/effect', expect.stringContaining('changes nothing')],
    ])
  })
})

describe('S4-14 an entry', () => {
  it('gives a tool another name and description, and policies still see its own name', async () => {
    const [bound, other] = await open({
      tools: ['say.echo', 'a.one'],
      rename: { 'say.echo': 'repeat' },
      description: { 'say.echo': 'Repeats a word.' },
    })
    expect(bound).toMatchObject({ name: 'repeat', scopeName: 'say.echo', description: 'Repeats a word.' })
    expect(other).toMatchObject({ name: 'a.one', scopeName: 'a.one', description: echo.description })
  })

  it('keeps a description that is the toolkit’s own setting', async () => {
    const [bound] = await open({ tools: ['say.echo'], description: 'Of a toolkit with one tool.' })
    expect(bound?.description).toBe(echo.description)
  })

  it('sets the retries of its tools, and whether a result ends the run', async () => {
    const retry = { max: 4, backoffMs: 10 }
    expect(await open({ tools: ['say.echo'], retry, final: true })).toMatchObject([{ retry, ends: true }])
    const [plain] = await open({ tools: ['say.echo'] })
    expect(plain).not.toHaveProperty('retry')
    expect(plain).not.toHaveProperty('ends')
  })

  it('presets arguments by the tool’s own name, whatever its new one', async () => {
    const [bound] = await open({
      tools: ['say.echo'],
      rename: { 'say.echo': 'repeat' },
      preset: { 'say.echo': { secret: 'ours' } },
    })
    expect(await bound?.run({ word: 'a' }, bodyContext)).toEqual(text('{"word":"a","secret":"ours"}'))
  })

  it('lets the model read only what it picks from the result', async () => {
    const [bound] = await open({ tools: ['say.echo'], pick: { 'say.echo': '$.word' } })
    expect(await bound?.run({ word: 'hello', secret: 'x' }, bodyContext)).toEqual(text('hello'))
  })

  it('gives a tool its form in XML, under its own name (S0-07)', async () => {
    const [bound] = await open({
      tools: ['say.echo'],
      rename: { 'say.echo': 'repeat' },
      xml: { 'say.echo': 'echo_editor word loud' },
    })
    expect(bound).toMatchObject({
      name: 'repeat',
      xml: { name: 'echo_editor', attributes: ['word', 'loud'] },
    })
    expect((await open({ tools: ['say.echo'] }))[0]).not.toHaveProperty('xml')
  })

  it('raises the class of a renamed tool as of any other', async () => {
    const [bound] = await open({ tools: ['say.echo'], rename: { 'say.echo': 'b' }, risk: 'admin' })
    expect(bound).toMatchObject({ risk: 'admin', effect: 'effect' })
  })
})

it('X-12 a tool that changes the run is never answered from the cache', async () => {
  const cached = async (own: Partial<Tool>) => {
    const given = { toolkit: builtin, entry: entry({ tools: ['a.one'], cache: true }), index: 0 }
    const opened = await openEntry(given, { tools: [{ ...named('a.one'), ...own }] })
    return opened.ok && opened.value[0]?.cache === true
  }
  expect([await cached({}), await cached({ changesRun: true })]).toEqual([true, false])
})

describe('S0-08 where a tool comes in the list', () => {
  const standing = async (own: Partial<Tool>, more: Partial<ToolEntry> = {}) => {
    const [bound] = await openOne({ ...named('a.one'), ...own }, more)
    return { weight: bound?.weight, core: bound?.core, hidden: bound?.hidden }
  }
  const openOne = async (one: Tool, more: Partial<ToolEntry>): Promise<BoundTool[]> => {
    const given = { toolkit: builtin, entry: entry({ tools: ['a.one'], ...more }), index: 0 }
    const opened = await openEntry(given, { tools: [one] })
    return opened.ok ? opened.value : []
  }

  it('is not set for a tool that says nothing of it', async () => {
    expect(await standing({})).toEqual({ weight: undefined, core: undefined, hidden: undefined })
  })

  it('is what the tool says, unless its entry says otherwise', async () => {
    const own = { weight: 300, core: true, visible: false }
    expect(await standing(own)).toEqual({ weight: 300, core: true, hidden: true })
    const more = { weight: { 'a.one': 100 }, core: { 'a.one': false }, visible: { 'a.one': true } }
    expect(await standing(own, more)).toEqual({ weight: undefined, core: undefined, hidden: undefined })
  })
})
