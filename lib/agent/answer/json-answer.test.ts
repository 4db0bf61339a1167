/**
 * JSON answers are requested until the provider refuses that, and every request can be rebuilt byte for byte.
 */
import { expect, test } from 'vitest'
import type { ModelChunk, ModelRequest } from '#lib/spec/model'
import type { Codec } from '#lib/spec/protocol'
import { request } from '../request/rerequest'
import {
  calls,
  collect,
  createCodec,
  createRig,
  createTool,
  digest,
  endOf,
  of,
  replay,
  text,
} from '../rig.fixture'

const tool = createTool('files.read')

/** Native calls stand in for a text format: this test only reads whether JSON was requested. */
function jsonCodec(): Codec {
  const codec = createCodec([tool])
  return {
    ...codec,
    encode: (input) => ({ ...codec.encode(input), ...(input.offerTools && { json: true }) }),
  }
}

const refused: ModelChunk = {
  type: 'fault',
  fault: { code: 'json_refused', message: 'takes no response_format', retry: 'now' },
}

function played(turn: (asked: ModelRequest) => ReturnType<typeof text>) {
  return createRig({ play: turn, tools: [tool], deps: { codec: jsonCodec() } })
}

test('S2-11 E-18 the step is asked again without, and later steps of the run do not ask for it', async () => {
  const { deps, model } = played(({ step, json }) =>
    json ? [refused] : step === 1 ? calls('files.read') : text('done'),
  )
  const events = await collect(deps)
  expect(model.requests.map(({ step, attempt, json = false }) => [step, attempt, json])).toEqual([
    [1, 1, true],
    [1, 2, false],
    [2, 1, false],
  ])
  expect(of(events, 'model.retried')).toMatchObject([{ attempt: 1, code: 'json_refused', waitMs: 0 }])
  expect(endOf(events).status).toBe('completed')
})

test('S2-11 a request made again has the hash of the one that was sent, whatever was refused before it', async () => {
  for (const refuses of [true, false]) {
    const { deps } = played(({ step, json }) =>
      refuses && json ? [refused] : step < 3 ? calls('files.read') : text('done'),
    )
    const events = await collect(deps)
    const state = replay(events)
    for (const { number, request: sent } of state.steps)
      expect(digest(request(state, deps, number)?.body ?? '')).toBe(sent?.hash)
  }
})

test('S2-11 what is refused although it was not asked for ends the run', async () => {
  const { deps } = createRig({
    play: () => [refused],
    deps: { retry: { max: 1, baseMs: 1, capMs: 1, longestHintMs: 1 } },
  })
  expect(endOf(await collect(deps))).toMatchObject({
    status: 'failed',
    error: { code: 'model_json_refused' },
  })
})
