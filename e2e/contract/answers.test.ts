/**
 * Checks the answers of every route against the recorded contract: status, headers and body, for successes
 * and failures.
 */
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { factsIn, knownPart, projectFolder, readFact, recordsMissing, recordsWords, writeFact } from './facts'
import { ask } from './http'
import { openProduct, type Product } from './start'
import { type Answer, formatOf, type Place, type Story, tell } from './story'
import { startWireServer, type WireServer } from './wire-server'

const files = factsIn('answers')
const stories = new Map(files.map((file) => [file, readFact<Story>(`answers/${file}`)]))
const found = new Map<string, Answer[]>()
let product: Product
let models: WireServer
let places: Record<'open' | 'token', Place>

beforeAll(async () => {
  product = await openProduct()
  models = await startWireServer()
  const [open, guarded] = await Promise.all([
    product.serve(),
    product.serve({ env: { LOOPWRIGHT_TOKEN: 'contract-token-0123456789' } }),
  ])
  const knownOf = (data: string) => ({ data, project: projectFolder, models: `127.0.0.1:${models.port}` })
  places = {
    open: { url: open.url, known: knownOf(open.dataFolder) },
    token: { url: guarded.url, known: knownOf(guarded.dataFolder) },
  }
})
afterAll(async () => {
  await product?.end()
  await models?.close()
})

/** Differs from every answer of a server. */
const none: Answer = { status: 0, headers: {} }

/** Bodies may have fields that are not on record. */
function recordedPart(answer: Answer, { body }: Answer): Answer {
  return answer.body === undefined ? answer : { ...answer, body: knownPart(answer.body, body) ?? null }
}

const titleOf = (story: Story, index: number) => {
  const { method, path } = story.steps[index]?.request ?? {}
  return `step ${index + 1}: ${method} ${path}`
}

describe.each([...stories])('%s', (file, story) => {
  test(`answers as recorded: ${story.about}`, async () => {
    const answers = await tell(story, places[story.server ?? 'open'])
    found.set(file, answers)
    if (recordsMissing || recordsWords) record(file, story, answers)
    for (const [index, step] of readFact<Story>(`answers/${file}`).steps.entries()) {
      const [answer, known] = [answers[index] ?? none, step.answer ?? none]
      expect(formatOf(recordedPart(answer, known), step), titleOf(story, index)).toEqual(
        formatOf(known, step),
      )
    }
  })

  test('says it in the recorded words', () => {
    for (const [index, { answer = none }] of readFact<Story>(`answers/${file}`).steps.entries())
      expect(recordedPart(found.get(file)?.[index] ?? none, answer), titleOf(story, index)).toEqual(answer)
  })
})

/** Records answers without a record, and changed sentences; a recorded format never changes. */
function record(file: string, story: Story, answers: readonly Answer[]): void {
  const steps = story.steps.map((step, index) => {
    const answer = answers[index] ?? none
    if (step.answer === undefined) return recordsMissing ? { ...step, answer } : step
    const part = recordedPart(answer, step.answer)
    const isSame = isDeepStrictEqual(formatOf(part, step), formatOf(step.answer, step))
    return recordsWords && isSame ? { ...step, answer: part } : step
  })
  writeFact(`answers/${file}`, { ...story, steps })
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * A sign-in needs an authorization server and a public address; `lib/server/mcp/sign-ins.test.ts` checks these answers.
 * What the sandbox answers depends on the machine; `lib/api/routes/sandbox.test.ts` checks that.
 */
const onlyRefused = new Set([
  // A question stands while the stream of its try is open; `lib/api/routes/trials.test.ts` checks the reply.
  'post /api/agents/{id}/trials/{tool}/replies',
  'post /api/mcp-servers/{name}/sign-in',
  'post /api/mcp-sign-in',
  'get /api/mcp-sign-in/client',
  'get /api/sandbox',
  'post /api/sandbox/test',
  // They download programs, or depend on what is installed.
  'get /api/sandbox/packages',
  'post /api/sandbox/packages/{name}',
  'delete /api/sandbox/packages/{name}',
  'post /api/sandbox/packages/{name}/file',
  'post /api/sandbox/packages/{name}/cancel',
])

test('every method of every route has an answer on record, and a refusal', async () => {
  const { paths } = await ask<Document>(places.open.url, 'GET', '/api/openapi.json')
  const operations = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => ({ verb, path })),
  )
  expect(operations.length).toBeGreaterThan(50)
  const steps = [...stories.values()].flatMap((story) => story.steps)
  const told = operations.map(({ verb, path }) => {
    const shape = new RegExp(`^${path.replace(/\{path\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`)
    const statuses = steps
      .filter(({ request }) => request.method.toLowerCase() === verb)
      .filter(({ request }) => shape.test(request.path.split('?', 1)[0] ?? ''))
      .map(({ answer }) => answer?.status ?? 0)
    return {
      operation: `${verb} ${path}`,
      succeeds: statuses.some((status) => status >= 200 && status < 300),
      refuses: statuses.some((status) => status >= 400),
    }
  })
  expect(told).toEqual(
    told.map(({ operation }) => ({ operation, succeeds: !onlyRefused.has(operation), refuses: true })),
  )
})
