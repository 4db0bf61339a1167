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
  fs.writeFileSync(path.join(folder, 'bad.json'), '{"name":"Bad Name"}')
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function asked(...words: string[]) {
  const terminal = testTerminal({ folder })
  const code = await main(['dry-run', ...words], terminal)
  return { code, out: terminal.printed }
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
