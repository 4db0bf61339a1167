/** What the bench compares: a server of a checkout, used over HTTP, and a bare loop of fetches. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { check, instructions, model, question, readEvents, resultOf } from './task.mjs'

/** The same calls without a product: nothing is stored, and nobody watches. */
export function bareLoop(base) {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'math_calculate',
        description: 'Evaluates one arithmetic expression.',
        parameters: { type: 'object', properties: { expression: { type: 'string' } } },
      },
    },
  ]
  const headers = { 'content-type': 'application/json', authorization: 'Bearer x' }
  const run = async () => {
    const begun = performance.now()
    let firstMs
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: question },
    ]
    const results = []
    for (;;) {
      const body = JSON.stringify({ model, messages, tools, stream: true })
      const response = await fetch(`${base}/chat/completions`, { method: 'POST', headers, body })
      const call = { id: '', type: 'function', function: { name: '', arguments: '' } }
      let text = ''
      await readEvents(response.body, (json) => {
        firstMs ??= performance.now() - begun
        const delta = JSON.parse(json).choices[0]?.delta
        text += delta?.content ?? ''
        for (const { id, function: said } of delta?.tool_calls ?? []) {
          if (id) Object.assign(call, { id, function: { name: said.name, arguments: '' } })
          call.function.arguments += said.arguments
        }
      })
      if (call.id === '') {
        check({ results, text })
        return { ms: performance.now() - begun, firstMs }
      }
      results.push(resultOf(results.length))
      messages.push({ role: 'assistant', content: null, tool_calls: [call] })
      messages.push({ role: 'tool', tool_call_id: call.id, content: results.at(-1) })
    }
  }
  return { name: 'bare loop', run, figures: () => undefined, close: async () => {} }
}

export function dataFolder() {
  return mkdtempSync(path.join(process.env.BENCH_DATA ?? tmpdir(), 'bench-product-'))
}

/** The config of the agent that does the job. */
export const config = {
  name: 'bench',
  instructions,
  model: { provider: 'openai', name: model },
  tools: [{ use: 'builtin', tools: ['math.calculate'] }],
  policies: [{ use: 'steps', max: 20 }],
}

/** The server of a checkout, with a data folder of its own, which is deleted at the end. */
export async function startServer(name, folder, { base, data = dataFolder() }) {
  const port = await freePort()
  const child = spawn(process.execPath, ['lib/setup/start.mjs'], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: String(port),
      LOOPWRIGHT_DATA: data,
      OPENAI_BASE_URL: base,
      OPENAI_API_KEY: 'sk-bench-0123456789',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.on('exit', () => child.kill())
  const url = `http://127.0.0.1:${port}`
  await answers(`${url}/api/health`, child)
  const post = async (route, body, accept = 'application/json') => {
    const headers = { 'content-type': 'application/json', accept }
    const response = await fetch(`${url}/api/${route}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${name}: ${await response.text()}`)
    return response
  }
  return {
    name,
    pid: child.pid,
    url,
    /** Creates an agent and returns its id. */
    create: async (config) => (await (await post('agents', { config })).json()).id,
    /** Runs an agent and calls `hear` with each event. */
    async ask(agent, body, hear) {
      const { body: stream } = await post(`agents/${agent}/runs`, body, 'text/event-stream')
      await readEvents(stream, (json) => hear(JSON.parse(json)))
    },
    figures: () => figuresOf(child.pid),
    async close() {
      child.kill()
      await new Promise((resolve) => child.once('exit', resolve))
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** The same with one agent, as a contender. */
export async function serverOf(name, folder, { base }) {
  const { create, ask, figures, close } = await startServer(name, folder, { base })
  const id = await create(config)
  return {
    name,
    async run() {
      const begun = performance.now()
      let firstMs
      const results = []
      let text = ''
      await ask(id, { input: question }, (event) => {
        firstMs ??= performance.now() - begun
        if (event.type === 'call.finished') results.push(event.result.text)
        if (event.type === 'run.finished') text = event.answer
      })
      check({ results, text })
      return { ms: performance.now() - begun, firstMs }
    },
    figures,
    close,
  }
}

/** CPU time in milliseconds and memory in MB of a process; undefined where there is no /proc. */
function figuresOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    const memory = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    // A tick is 10 ms on every Linux that Node runs on.
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, memoryMb: Number(memory?.[1]) / 1024 }
  } catch {
    return undefined
  }
}

async function answers(url, child) {
  const until = Date.now() + 300_000
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`no answer from ${url}`)
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
