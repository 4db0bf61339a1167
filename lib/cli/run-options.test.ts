import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isObject } from '#lib/spec/json'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

let folder = ''
const save = (name: string, value: unknown) =>
  fs.writeFileSync(path.join(folder, name), JSON.stringify(value))

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-run-'))
  const call = { calls: [{ name: 'math.calculate', args: { expression: '1+1' } }] }
  save('agent.json', {
    name: 'adder',
    model: { provider: 'scripted', name: 'script', turns: [call, call, { text: 'Two.' }] },
    tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    policies: [{ use: 'taint' }],
  })
  save('history.json', [
    { role: 'user', text: 'Hi.' },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
  ])
  save('bad.json', [{ role: 'system', text: 'Hi.' }])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function run(...words: string[]) {
  const terminal = testTerminal({ folder })
  const code = await main(['run', 'agent.json', 'One and one?', ...words], terminal)
  const events = terminal.printed
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []))
  return { code, said: terminal.said, events }
}
const requestIn = (events: unknown[]) =>
  events.find((each) => isObject(each) && each.type === 'model.requested')

test('S3-03 --max-steps limits the run, and --temperature is accepted', async () => {
  const { events } = await run('--json', '--max-steps', '1')
  expect(events.find((each) => each.type === 'step.started')).toMatchObject({ maxSteps: 1 })
  expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'max_steps' })
})

test('S3-03 --history gives the dialogue before the question', async () => {
  const [plain, given] = [await run('--json'), await run('--json', '--history', 'history.json')]
  expect(requestIn(plain.events)).toMatchObject({ counts: { messages: 1 } })
  expect(requestIn(given.events)).toMatchObject({ counts: { messages: 3 } })
  expect(given.code).toBe(0)
})

test.each([
  [['--max-steps', 'many'], '--max-steps must be a whole number from 1 to 1000.'],
  [['--max-steps', '0'], '--max-steps must be a whole number'],
  [['--temperature', '3'], '--temperature must be a number from 0 to 2.'],
  [['--temperature', '1'], 'temperature'],
  [['--history', 'bad.json'], 'bad.json/0/role: This is not a list of messages'],
  [['--history', 'none.json'], 'There is no such file.'],
])('S3-03 %j is refused with a reason, and nothing runs', async (words, reason) => {
  const { code, said, events } = await run('--json', ...words)
  expect(said).toContain(reason)
  expect(code).toBe(2)
  expect(events).toEqual([])
})
