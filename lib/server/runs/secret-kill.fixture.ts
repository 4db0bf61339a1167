/**
 * A server for the test that looks for a secret everywhere: it runs one agent whose model answers over HTTP with a
 * secret in the arguments of its calls. Arguments: the data folder, the address of the model, and what to do: a list
 * of questions to ask one after the other, or `go on` to resume what an earlier server left and approve what waits.
 * The secret comes in the environment. It prints every event as its readers get it.
 */
import { writeSync } from 'node:fs'
import { z } from 'zod'
import type { JsonObject } from '#lib/spec/json'
import { text, tool } from '#lib/spec/tool'
import { openHouse } from '../house.fixture'
import { productParts } from '../parts'
import { redactLog } from '../secrets/redact'

const [, , folder = '', baseUrl = '', ...words] = process.argv
const secret = process.env.CANARY ?? ''
const input = z.object({ key: z.string(), note: z.string() })

/** Turns the text round, so that a test sees that the body got the secret, and the files do not hold it. */
const turned = (word: string) => [...word].reverse().join('')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const about = { description: 'Sends a key.', icon: 'send', input }
const look = tool({
  ...about,
  name: 'look',
  label: 'Look',
  risk: 'read',
  run: async ({ key, note }, { progress, signal }) => {
    progress(`got ${turned(key)} with ${key}\n`)
    if (note === 'slow') await pause(400)
    if (note === 'hang')
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error(`left ${key}`))),
      )
    if (note === 'fail') return { ok: false, message: `refused ${key}` }
    if (note === 'throw') throw new Error(`broke at ${key}`)
    return text(`looked with ${key}, which is ${turned(key)}, note ${note}`)
  },
})
const send = tool({
  ...about,
  name: 'send',
  label: 'Send',
  risk: 'write',
  run: async ({ key, note }) => text(`sent ${turned(key)}, note ${note}`),
})

const house = openHouse({
  folder,
  parts: { ...productParts, tools: [...productParts.tools, look, send] },
  outbound: { providers: { openai: { baseUrl, key: 'sk-of-the-model-0001' } }, allowHosts: [] },
  logsSteps: true,
})
redactLog(console, house.redact)
const { app } = house
if (app.secrets.list().items.length === 0) app.secrets.save('CANARY', { value: secret, origins: [] })

const isEarly = words[0] === 'early'
const config: JsonObject = {
  name: isEarly ? 'early' : 'canary',
  model: { provider: 'openai', name: 'gpt-test' },
  tools: [{ use: 'builtin', tools: ['look', 'send'] }],
  policies: [
    { use: 'approval', appliesTo: ['send'] },
    { use: 'execution', timing: isEarly ? 'on_stream' : 'after_stream' },
  ],
}
const known = app.agents.list().items.find((each) => each.name === config.name)
const agentId = known?.id ?? app.agents.create({ config }).id

async function follow(runId: string, after = 0): Promise<void> {
  for await (const frame of app.runs.watch(runId, after, new AbortController().signal)) {
    if (frame === 'beat') continue
    writeSync(1, `${frame.json}\n`)
    const event = JSON.parse(frame.json)
    if (event.type === 'approval.requested' && words[0] === 'go on') approve(runId)
    if (event.type === 'call.started' && event.args.note === 'hang') app.runs.cancel(runId)
  }
}

const approve = (runId: string) =>
  app.runs.decide(runId, 'call_1_1', {
    decision: 'approve',
    args: { key: '[secret]', note: 'by a person' },
  })

if (words[0] === 'go on') {
  house.recover()
  for (const run of app.runs.list({}).items) {
    if (run.status === 'waiting') await approve(run.id)
    await follow(run.id)
    if (run.status === 'completed') await app.runs.request(run.id, 1)
  }
} else {
  for (const question of words.filter((word) => word !== 'early'))
    await follow(app.runs.create({ agentId, input: question }).id)
}
await house.leave()
