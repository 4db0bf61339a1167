import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonObject, jsonValue } from '#lib/spec/json'
import { block } from '#lib/spec/message'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import { tools } from './index'
import { context, stalledSql } from './tools.fixture'

/** Resolves to `late` if the body has not settled in time. */
async function inTime(output: Promise<ToolOutput>): Promise<ToolOutput | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), 10_000)
  })
  return Promise.race([output, late]).finally(() => clearTimeout(timer))
}

/** Arguments that fit every tool; each tool takes those that it declares. */
const fitting: JsonObject = {
  expression: '1 + 1',
  sql: 'select 1',
  path: 'a.txt',
  content: '',
  old_text: 'a',
  new_text: 'b',
  line: 0,
  query: 'a',
  code: 'return 1',
}

describe('every tool', () => {
  it('has a name of its own, and they stand in order', () => {
    const names = tools.map((each) => each.name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual([...names].sort())
  })

  it.each(tools.map((each) => [each.name, each] as const))('%s says what it is', (name, tool) => {
    expect(name).toMatch(/^[a-z]+(\.[a-z]+(_[a-z]+)*)?$/)
    expect(tool.label).not.toBe('')
    expect(tool.description.length).toBeGreaterThan(20)
    expect(tool.icon).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(tool.timeoutSeconds).toBeGreaterThan(0)
    expect(tool.risk === 'read' ? ['read'] : ['idempotent', 'effect']).toContain(tool.effect)
    expect(tool.parameters.type).toBe('object')
    expect(JSON.parse(JSON.stringify(tool.parameters))).toEqual(tool.parameters)
    for (const [key, schema] of Object.entries(tool.parameters.properties ?? {})) {
      expect(schema.title, key).toBeTruthy()
      expect(schema.description, key).toBeTruthy()
    }
  })

  it.each(tools.map((each) => [each.name, each] as const))(
    'E-49 %s answers junk with a refusal or an answer, and never throws',
    async (_, tool) => {
      const keys = [...Object.keys(tool.parameters.properties ?? {}), 'constructor', 'toString', 'x']
      const junk = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue(), { maxKeys: 4 })
      await fc.assert(
        fc.asyncProperty(junk, async (args) => {
          const output = await tool.run(args as JsonObject, context()) // cast: JSON by construction
          if (output.ok === true) for (const each of output.blocks) block.parse(each)
          else if (output.ok === false) expect(output.message).not.toBe('')
        }),
        { numRuns: 60 },
      )
      const wrong = Object.fromEntries(keys.map((key) => [key, { nested: [null] }]))
      expect(await tool.run(wrong, context())).toMatchObject({ ok: false, code: 'args_schema' })
    },
  )

  it('T39 __proto__ among the arguments changes nothing', async () => {
    for (const tool of tools) await tool.run(JSON.parse('{"__proto__":{"polluted":1}}'), context())
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it.each(tools.map((each) => [each.name, each] as const))('%s ends when it is aborted', async (_, tool) => {
    const abort = new AbortController()
    const stalled: ToolContext = { ...context(stalledSql), signal: abort.signal }
    const running = tool.run(fitting, stalled)
    abort.abort('cancel')
    const output = await inTime(running)
    expect(output).not.toBe('late')
    if (output !== 'late' && output.ok === true)
      for (const each of output.blocks) expect(jsonValue.safeParse(each).success).toBe(true)
  })
})
