import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { JsonQuery, JsonQueryAnswer } from '#lib/spec/json-query'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { EarlierResult } from '#lib/spec/tool'
import { jsonQuery } from './json-query'
import { context } from './tools.fixture'

/** Queries with this answer in a run with these results, and what was asked. */
function desk(
  results: Readonly<Record<string, EarlierResult>>,
  answer: JsonQueryAnswer = { ok: true, value: 1 },
) {
  const asked: JsonQuery['from'][] = []
  const given = {
    ...context(),
    resultOf: (id: string) => results[id],
    ports: {
      ...closedPorts,
      jsonQueries: {
        async ask({ from }: JsonQuery) {
          asked.push(from)
          return answer
        },
      },
    },
  }
  return { asked, run: (args: JsonObject) => jsonQuery.run({ expression: '@', ...args }, given) }
}

it('asks the whole of a result that was cut for the model', async () => {
  const { asked, run } = desk({
    call_1_1: { text: '[1', isCut: true, artifact: 'artifact_1' },
    call_1_2: { text: '[1', isCut: true, value: [1, 2] },
    call_1_3: { text: '[1, 2]', isCut: false },
  })
  for (const id of ['call_1_1', 'call_1_2', 'call_1_3'])
    expect(await run({ result_of: id })).toMatchObject({ ok: true })
  expect(asked).toEqual([
    { artifact: 'artifact_1', artifacts: closedPorts.artifacts },
    { text: '[1,2]' },
    { text: '[1, 2]' },
  ])
})

it('says that a result was cut where the rest of it is not kept', async () => {
  const wrong: JsonQueryAnswer = { ok: false, code: 'data', message: 'not valid JSON' }
  const { run } = desk({ cut: { text: '[1', isCut: true }, own: { text: 'x', isCut: false } }, wrong)
  expect(await run({ result_of: 'cut' })).toMatchObject({
    message: expect.stringMatching(/^cut: The result was too long for the model and was cut/),
  })
  expect(await run({ result_of: 'own' })).toMatchObject({ message: 'own: not valid JSON' })
  expect(await run({ result_of: 'gone' })).toMatchObject({ code: 'not_found' })
})
