import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { type ModelList, openModelList } from '#lib/server/providers/model-list.fixture'
import { main } from './main'
import { testTerminal } from './terminal.fixture'

const key = 'sk-of-the-environment-123456'

let place: ReturnType<typeof temporaryFolder>
let server: ModelList
beforeEach(async () => {
  place = temporaryFolder()
  server = await openModelList()
})
afterEach(async () => {
  place.remove()
  await server.close()
})

async function run(config: object, env: Record<string, string>, ...more: string[]) {
  const terminal = testTerminal({ folder: place.folder, env })
  fs.writeFileSync(path.join(place.folder, 'agent.json'), JSON.stringify({ name: 'a', ...config }))
  const code = await main(['run', 'agent.json', 'Hello', '--data', place.folder, ...more], terminal)
  return { code, terminal }
}

/** The stream of a Chat Completions server for one text. */
function streamOf(text: string): ModelList['answer'] {
  const chunk = (rest: object) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', ...rest })}\n\n`
  const usage = { prompt_tokens: 1_000, completion_tokens: 1_000, total_tokens: 2_000 }
  const body = [
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: text } }] }),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('')
  return { status: 200, body, headers: { 'content-type': 'text/event-stream' } }
}

const model = { provider: 'openai', name: 'gpt-5-mini' }

describe('models at the command line', () => {
  test('a provider of the environment answers, at the price of the product', async () => {
    server.answer = streamOf('Good day.')
    const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: `${server.origin}/v1` }
    const { code, terminal } = await run({ model }, env)
    expect([code, terminal.printed]).toEqual([0, 'Good day.\n'])
    expect(server.asked).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: `Bearer ${key}` } },
    ])
    const events = await run({ model }, env, '--json')
    const end = JSON.parse(events.terminal.printed.trim().split('\n').at(-1) ?? '')
    expect(end).toMatchObject({ type: 'run.finished', status: 'completed' })
    expect(end.costUsd).toBeCloseTo(0.00225, 10)
  })

  test('T42 what a server says back of the key is not shown', async () => {
    server.answer = { status: 401, body: JSON.stringify({ error: { message: `Wrong key ${key}` } }) }
    const { code, terminal } = await run({ model }, { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.origin })
    expect(code).toBe(1)
    expect(terminal.said).toContain('refused the key')
    expect(terminal.said + terminal.printed).not.toContain(key)
  })

  test('what is missing is told before the run', async () => {
    const without = await run({ model, policies: [{ use: 'budget', usd: 1 }] }, {})
    expect(without.terminal.said).toContain(
      'There is no key for OpenAI. Set OPENAI_API_KEY, or name the data folder',
    )
    expect(without.code).toBe(1)
    const local = { provider: 'openai-compatible', endpoint: 'ollama', name: 'qwen3' }
    const other = await run({ model: local, policies: [{ use: 'budget', usd: 1 }] }, {})
    expect(other.terminal.said).toContain('no endpoint "ollama"')
    expect(other.terminal.said).toContain('The price of qwen3 is not known')
    const wrong = await run({ model }, { OPENAI_BASE_URL: 'nowhere' })
    expect(wrong.code).toBe(2)
    expect(wrong.terminal.said).toContain('OPENAI_BASE_URL must be')
  })
})
