import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '#lib/spec/json'
import { text, tool } from '#lib/spec/tool'
import { eventsIn, type House, openHouse } from '../house.fixture'
import { productParts } from '../parts'
import { scriptOf } from './run-house.fixture'

const secret = 'sesame-open-4711'
let house: House | undefined
afterEach(async () => {
  await house?.end()
  house = undefined
})

test('S0-30 a secret that a person writes into the arguments of a fork is in no event, and its tool gets it', async () => {
  const got: string[] = []
  const send = tool({
    name: 'send',
    label: 'Send',
    description: 'Sends a key.',
    icon: 'send',
    risk: 'read',
    input: z.object({ key: z.string() }),
    run: async ({ key }) => {
      got.push(key)
      return text('sent')
    },
  })
  house = openHouse({ parts: { ...productParts, tools: [...productParts.tools, send] } })
  const { app, folder } = house
  app.secrets.save('CANARY', { value: secret, origins: [] })
  const ended = async (id: string) => {
    for await (const _frame of app.runs.watch(id, 0, new AbortController().signal));
  }
  const turns: JsonObject[] = [{ calls: [{ name: 'send', args: { key: 'none' } }] }, { text: 'ok' }]
  const config = scriptOf(turns, { tools: [{ use: 'builtin', tools: ['send'] }] })
  const { id } = app.runs.create({ agentId: app.agents.create({ config }).id, input: 'Send.' })
  await ended(id)
  const fork = await app.runs.fork(id, { step: 1, edit: { callId: 'call_1_1', args: { key: secret } } })
  await ended(fork.id)
  expect(got).toEqual(['none', secret])
  expect(JSON.stringify(eventsIn(app.runs, fork.id))).not.toContain('4711')
  const again = await app.runs.fork(fork.id, {
    step: 1,
    edit: { callId: 'call_1_1', args: { key: '[secret]' } },
  })
  await ended(again.id)
  expect(got.at(-1)).toBe('[secret]')
  // Of the secret itself its last four characters are kept as a hint.
  for (const file of ['loopwright.db', 'loopwright.db-wal'])
    expect(readFileSync(path.join(folder, file)).includes('sesame-open')).toBe(false)
}, 60_000)
