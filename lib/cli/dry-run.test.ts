import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-dry-'))
  const config = {
    name: 'guarded',
    tools: [{ use: 'builtin', tools: ['math.calculate', 'files.create'] }],
    policies: [{ use: 'approval', appliesTo: ['files.create'] }],
  }
  fs.writeFileSync(path.join(folder, 'agent.json'), JSON.stringify(config))
  const beside = (name: string, more: object) =>
    fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify({ name, ...more }))
  beside('lead', {
    tools: [{ use: 'agent', agent: 'helper' }],
    policies: [{ use: 'skills', deny: ['files.*'] }],
  })
  beside('helper', {
    instructions: 'You count words.',
    tools: [
      { use: 'agent', agent: 'deeper' },
      { use: 'builtin', tools: ['math.calculate', 'files.create'] },
    ],
  })
  beside('deeper', { tools: [{ use: 'mcp', server: 'nowhere' }] })
  beside('lonely', { tools: [{ use: 'agent', agent: 'gone' }] })
  beside('ring-a', { tools: [{ use: 'agent', agent: 'ring-b' }] })
  beside('ring-b', { tools: [{ use: 'agent', agent: 'ring-a' }] })
  fs.writeFileSync(path.join(folder, 'bad.json'), '{"name":"Bad Name"}')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function asked(...words: string[]) {
  const terminal = testTerminal({ folder })
  const code = await main(['dry-run', ...words], terminal)
  return { code, out: terminal.printed, err: terminal.said }
}

test.each<[string, string, number, RegExp]>([
  ['math.calculate', '{"expression":"1+1"}', 0, /It would run with {"expression":"1\+1"}\./],
  [
    'files.create',
    '{"path":"a","content":""}',
    1,
    /confirm approval \(approval, policies\/0\).*\n.*A person would be asked/,
  ],
  ['math.calculate', '{}', 1, /deny {4}schema: .*\n.*args_schema/],
  ['moon.land', '{}', 1, /unknown_tool.*math\.calculate/],
])('a call of %s with %j from the command line is told and not run', async (tool, args, code, told) => {
  const said = await asked('agent.json', tool, args)
  expect(said.out).toMatch(told)
  expect(said.code).toBe(code)
})

test('a file with errors, or a word too few, is bad input', async () => {
  expect((await asked('bad.json', 'math.calculate', '{}')).code).toBe(2)
  expect((await asked('agent.json', 'math.calculate')).code).toBe(2)
})

test('S1-24 a call of another agent lists what the agents behind it lack, each under its file', async () => {
  const { code, out } = await asked('lead.json', 'helper', '{"task":"Count."}')
  expect(code).toBe(0)
  expect(out).toMatch(/It would run with {"task":"Count\."}\./)
  expect(out).toMatch(
    /^helper\.json:caller\/policies\/0: info: “files\.create” is not offered to it by a rule/m,
  )
  expect(out).toMatch(/^deeper\.json:tools\/0\/server: warning: No MCP server “nowhere” is set up here/m)
})

test('S1-24 --request prints what that agent would send first, alone on standard output', async () => {
  const { code, out, err } = await asked('lead.json', 'helper', '{"task":"Count."}', '--request')
  expect(code).toBe(0)
  const request = JSON.stringify(JSON.parse(out))
  for (const part of ['You count words.', 'Count.', 'math_calculate', 'deeper'])
    expect(request).toContain(part)
  // A rule of the agent that calls holds in it.
  expect(request).not.toContain('files_create')
  expect(err).toContain('It would run with')
})

test.each([
  ['agent.json', 'math.calculate', '{"expression":"1"}', 0, 'math.calculate does not call another agent.'],
  ['lead.json', 'helper', '{}', 1, 'the call would be refused.'],
  ['lonely.json', 'gone', '{"task":"x"}', 0, 'There is no file gone.json beside lonely.json'],
])('--request says why there is none for a call of %s %s %s', async (file, tool, args, code, why) => {
  const said = await asked(file, tool, args, '--request')
  expect([said.code, said.out]).toEqual([code, ''])
  expect(said.err).toContain(`There is no request to show: ${why}`)
})

test('S1-24 --through looks at a call of an agent that is called, by its tools and the rules around it', async () => {
  const within = (tool: string, args: string, ...through: string[]) =>
    asked('lead.json', tool, args, ...through.flatMap((each) => ['--through', each]))
  const runs = await within('math.calculate', '{"expression":"1+1"}', 'helper')
  expect([runs.code, runs.out]).toEqual([
    0,
    expect.stringContaining('It would run with {"expression":"1+1"}.'),
  ])
  const denied = await within('files.create', '{"path":"a","content":""}', 'helper')
  expect([denied.code, denied.out]).toEqual([1, expect.stringContaining('caller/policies/0')])
  const deeper = await within('math.calculate', '{}', 'helper', 'deeper')
  expect([deeper.code, deeper.out]).toEqual([1, expect.stringContaining('unknown_tool')])
  const request = await asked('lead.json', 'deeper', '{"task":"Dig."}', '--through', 'helper', '--request')
  expect(JSON.stringify(JSON.parse(request.out))).toContain('Dig.')
})

test.each([
  ['lead.json', ['nobody'], '--through: lead calls no agent by a tool “nobody”.'],
  ['lead.json', ['helper', 'math.calculate'], '--through: helper calls no agent by a tool “math.calculate”.'],
  ['lonely.json', ['gone'], '--through: There is no file gone.json beside lonely.json'],
])('--through that leads to no agent is bad input: %s %j', async (file, through, why) => {
  const options = through.flatMap((each) => ['--through', each])
  const { code, out, err } = await asked(file, 'math.calculate', '{}', ...options)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(why)
})

test('S1-24 agents in a circle are refused with their names', async () => {
  const { code, err } = await asked('ring-a.json', 'ring-b', '{"task":"x"}')
  expect(code).toBe(2)
  expect(err).toContain('ring-a calls ring-b calls ring-a, which has no end.')
})
