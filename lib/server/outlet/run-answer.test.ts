import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../clock'
import { type House, openHouse } from '../house.fixture'
import { answerOfRun } from './run-answer'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const url = 'http://127.0.0.1:3000/runs/1'
const never = new AbortController().signal

/** Begins a run that asks a person about its first call. */
function begin(): string {
  const calls = [{ name: 'math.calculate', args: { expression: '6*7' } }]
  const { id } = house.app.agents.create({
    config: {
      name: 'careful',
      model: { provider: 'scripted', name: 'script', turns: [{ calls }, { text: '42' }] },
      tools: [{ use: 'builtin', tools: ['math.*'] }],
      policies: [{ use: 'approval', appliesTo: ['math.*'] }],
    },
  })
  return house.app.runs.create({ agentId: id, input: 'Hi' }).id
}

function answer(
  runId: string,
  patienceMs: number,
  more: { cancelled?: AbortSignal; gone?: AbortSignal } = {},
) {
  const heard: string[] = []
  const progress = (each: string) => void heard.push(each)
  const asked = { cancelled: never, gone: never, canAsk: false, progress, ...more }
  const context = { runs: house.app.runs, clock: systemClock, patienceMs, url }
  const answer = answerOfRun(context, runId, asked).then((said) => {
    if ('asks' in said) throw new Error('The run asks something.')
    return said
  })
  return { heard, answer }
}

test('a run that waits for a person is answered after the set time, with its link, and goes on', async () => {
  const runId = begin()
  const { text, isError, run } = await answer(runId, 30).answer
  expect([text, isError]).toEqual([`The run waits for a person and has no answer yet. See ${url}`, true])
  expect(run).toMatchObject({ runId, status: 'waiting', url })
  const { pending } = house.app.runs.get(runId)
  await house.app.runs.decide(runId, pending[0]?.callId ?? '', { decision: 'approve' })
  expect((await answer(runId, 10_000).answer).text).toBe('42')
})

test('the time of the wait ends with the decision', async () => {
  const runId = begin()
  const asked = answer(runId, 10_000)
  await expect.poll(() => house.app.runs.get(runId).status).toBe('waiting')
  const { pending } = house.app.runs.get(runId)
  await house.app.runs.decide(runId, pending[0]?.callId ?? '', { decision: 'reject', reason: 'No.' })
  expect((await asked.answer).run?.status).toBe('completed')
  expect(asked.heard).toEqual([
    'Step 1.',
    `Waits for a person to decide on math.calculate (${url}).`,
    'The call was rejected.',
    'Step 2.',
  ])
})

test('a caller that cancels cancels the run, also before it is followed', async () => {
  const runId = begin()
  const { text, isError } = await answer(runId, 10_000, { cancelled: AbortSignal.abort() }).answer
  expect([text, isError]).toEqual([`The run has no answer. It is cancelled. See ${url}`, true])
})

test('a caller that is gone is answered no more, and its run goes on', async () => {
  const runId = begin()
  const gone = new AbortController()
  const asked = answer(runId, 10_000, { gone: gone.signal })
  await expect.poll(() => house.app.runs.get(runId).status).toBe('waiting')
  gone.abort()
  await asked.answer
  expect(house.app.runs.get(runId).status).toBe('waiting')
})
