/**
 * The least work a loop can do: fetch, cut events at line ends, `JSON.parse`, and write the whole history
 * again for each step.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sqlitePackage } from '../../lib/sqlite/package.mjs'

const Database = createRequire(import.meta.url)(sqlitePackage)

async function post(url, body, hear) {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  const decoder = new TextDecoder()
  let held = ''
  for await (const bytes of response.body) {
    held += decoder.decode(bytes, { stream: true })
    let from = 0
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n', from)) {
      if (held.startsWith('data: {', from)) hear(JSON.parse(held.slice(from + 6, end)))
      from = end + 1
    }
    held = held.slice(from)
  }
}

/** @param {(messages: object[]) => void} [keep] is called with the whole dialogue after each step */
export function openFloor({ base, model, system, tools }, keep = () => {}) {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const offered = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
  const ask = async (question, heard) => {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: question },
    ]
    for (;;) {
      let text = ''
      const calls = []
      const request = {
        model,
        messages,
        tools: offered,
        stream: true,
        stream_options: { include_usage: true },
      }
      await post(`${base}/v1/chat/completions`, JSON.stringify(request), ({ usage, choices: [choice] }) => {
        if (usage) heard.input += usage.prompt_tokens
        const delta = choice?.delta
        if (delta?.content) {
          text += delta.content
          heard.text += delta.content.length
        }
        for (const { index, id, function: said } of delta?.tool_calls ?? []) {
          calls[index] ??= { id, type: 'function', function: { name: said.name, arguments: '' } }
          calls[index].function.arguments += said.arguments ?? ''
        }
      })
      messages.push({
        role: 'assistant',
        content: text || null,
        ...(calls.length > 0 && { tool_calls: calls }),
      })
      if (calls.length === 0) {
        keep(messages)
        return
      }
      const results = await Promise.all(
        calls.map(async ({ function: said }) => {
          const args = JSON.parse(said.arguments)
          heard.calls += 1
          heard.argBytes += args.content.length
          const result = await byName.get(said.name).exec(args)
          heard.results += 1
          return result
        }),
      )
      for (const [index, content] of results.entries())
        messages.push({ role: 'tool', tool_call_id: calls[index].id, content })
      keep(messages)
    }
  }
  return { ask, close: async () => {} }
}

/**
 * The same with each step's new messages in one transaction on disk: for comparison only, no goal depends on
 * it.
 */
export function openStoredFloor(job) {
  const folder = mkdtempSync(path.join(process.env.BENCH_DATA ?? tmpdir(), 'bench-floor-'))
  const db = new Database(path.join(folder, 'floor.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table messages (run integer, seq integer, body text, primary key (run, seq)) without rowid')
  const insert = db.prepare('insert into messages values (?, ?, ?)')
  const store = db.transaction((run, from, messages) => {
    for (let seq = from; seq < messages.length; seq++) insert.run(run, seq, JSON.stringify(messages[seq]))
  })
  let runs = 0
  const known = new WeakMap()
  const keep = (messages) => {
    const { run, from } = known.get(messages) ?? { run: ++runs, from: 0 }
    store(run, from, messages)
    known.set(messages, { run, from: messages.length })
  }
  const { ask } = openFloor(job, keep)
  return {
    ask,
    async close() {
      db.close()
      rmSync(folder, { recursive: true })
    },
  }
}
