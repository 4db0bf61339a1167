import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolEntry } from '#lib/spec/config'
import { closedPorts } from '#lib/spec/ports.fixture'
import { type Tool, text, tool } from '#lib/spec/tool'
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
const tools = [named('a.one'), named('a.two'), named('b.one'), echo]

const entry = (more: Partial<ToolEntry>): ToolEntry => ({ use: 'builtin', preset: {}, ...more })
const open = (more: Partial<ToolEntry>) =>
  openEntry({ toolkit: builtin, entry: entry(more), index: 2 }, { tools })
const bodyContext = {
  callId: 'c',
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
    [['*'], ['a.one', 'a.two', 'b.one', 'say.echo']],
    [['a'], []],
    [['none.*', 'b.one'], ['b.one']],
  ])('S0-09 S0-11 %j offers %j: in the order of the globs, each once', async (globs, names) => {
    expect((await open({ tools: globs })).map((each) => each.name)).toEqual(names)
  })

  it('names its node and source, and keeps the tool’s own time limit unless it has one', async () => {
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
