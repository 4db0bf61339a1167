/**
 * Tests one model: asks it for the same small call in each format, through the
 * formats and clients that runs use.
 */
import { Answer } from '#lib/agent/answer/answer'
import { costOf } from '#lib/agent/state/cost'
import { protocols } from '#lib/protocols'
import type { JsonObject } from '#lib/spec/json'
import { callsOf, type Part, textOf } from '#lib/spec/message'
import type { ModelClient, ModelContext, ModelFault, Price, Provider, Usage } from '#lib/spec/model'
import type { Codec } from '#lib/spec/protocol'
import type { Redact } from '#lib/spec/redact'
import type { BoundTool } from '#lib/spec/toolkit'
import { type FormatTest, type ModelTest, nextFormat, recommend, type TestFormat } from '#lib/wire/model-test'

/** The time limit of one format, ms. */
const formatMs = 30_000
/** Enough for the call; a model that spends it all on reasoning is asked once more. */
const fewTokens = 300
const moreTokens = 2_000
const maxSaid = 300

export interface ModelTestContext {
  readonly part: Provider
  /** The endpoint's name, where the config names one. */
  readonly endpoint?: string
  readonly model: string
  /** Tests only these formats; by default, as many as are needed for a recommendation. */
  readonly formats?: readonly TestFormat[] | undefined
  readonly models: ModelContext
  readonly price: Price | undefined
  readonly clock: { monotonic(): number }
  readonly redact: Redact
}

/** Never throws. When aborted, it asks nothing more and returns what is known. */
export async function testModel(context: ModelTestContext, signal: AbortSignal): Promise<ModelTest> {
  const { part, endpoint, model, formats, price } = context
  const results: FormatTest[] = []
  const usage = { input: 0, output: 0 }
  let cost: number | null = 0
  const next = () => (formats === undefined ? nextFormat(results) : formats[results.length])
  for (let format = next(); format !== undefined && !signal.aborted; format = next()) {
    const { used, ...result } = await testFormat(context, format, signal)
    results.push(result)
    for (const each of used) {
      usage.input += each.input
      usage.output += each.output
      const usd = costOf(each, price)
      cost = cost === null || usd === null ? null : cost + usd
    }
  }
  return {
    provider: part.id,
    ...(endpoint !== undefined && { endpoint }),
    model,
    results,
    ...recommend(results),
    usage,
    costUsd: price === undefined ? null : cost,
  }
}

type Tested = FormatTest & { readonly used: readonly Usage[] }

async function testFormat(
  { part, endpoint, model, models, clock, redact }: ModelTestContext,
  format: TestFormat,
  signal: AbortSignal,
): Promise<Tested> {
  const began = clock.monotonic()
  const late = AbortSignal.timeout(formatMs)
  const either = AbortSignal.any([signal, late])
  const ask = (maxOutputTokens: number) => {
    const given = { ...(endpoint !== undefined && { endpoint }), name: model }
    const settings = part.settings.parse({ ...given, maxOutputTokens, timeoutSeconds: formatMs / 1_000 })
    return answerOf(part.connect(settings, models), codecOf(format), either)
  }
  const heard = [await ask(fewTokens)]
  const [first] = heard
  // Neither a stale socket nor reasoning that used up the limit says anything about the model.
  const isStale = first?.fault?.retry === 'now'
  if (first !== undefined && (isStale || isCutShort(first)) && !either.aborted)
    heard.push(await ask(isStale ? fewTokens : moreTokens))
  const last = heard.at(-1)
  const { parts = [], fault } = last ?? {}
  const told = late.aborted && !signal.aborted ? tooLate : fault
  const ok = told === undefined && isRight(parts)
  return {
    format,
    ok,
    ms: Math.round(clock.monotonic() - began),
    said: redact(textIn(parts)),
    ...(told !== undefined && { fault: { code: told.code, message: redact(told.message) } }),
    used: heard.flatMap(({ usage }) => usage ?? []),
  }
}

const tooLate: ModelFault = {
  code: 'timeout',
  message: `It did not answer within ${formatMs / 1_000} seconds.`,
}

const add: BoundTool = {
  name: 'add',
  scopeName: 'add',
  node: 'tools/0',
  source: 'builtin',
  description: 'Adds two numbers and returns their sum.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  risk: 'read',
  effect: 'read',
  timeoutSeconds: 1,
  run: () => Promise.reject(new Error('a test runs no tool')),
}

function codecOf(format: TestFormat): Codec {
  const protocol = protocols.find(({ id }) => id === format)
  const placement = protocol?.placements[0]
  if (protocol === undefined || placement === undefined) throw new Error(`there is no format ${format}`)
  return protocol.open([add], placement)
}

interface Heard {
  readonly parts: readonly Part[]
  readonly usage: Usage | undefined
  readonly fault: ModelFault | undefined
  readonly isAtLimit: boolean
}

async function answerOf(client: ModelClient, codec: Codec, signal: AbortSignal): Promise<Heard> {
  const encoded = codec.encode({
    instructions: 'You answer with the help of tools.',
    messages: [{ role: 'user', text: 'What is 2+3? Use the tool.' }],
    offerTools: true,
  })
  const answer = new Answer(1, true)
  const decoder = codec.decoder(answer)
  for await (const chunk of client.stream(client.encode({ ...encoded, step: 1, attempt: 1 }), signal))
    decoder.push(chunk)
  decoder.end()
  const { ending } = answer
  const isFinished = ending?.by === 'finish'
  return {
    parts: answer.parts(isFinished ? ending.reason : 'fault'),
    usage: isFinished ? ending.usage : undefined,
    fault: ending?.by === 'fault' ? ending.fault : undefined,
    isAtLimit: isFinished && ending.reason === 'length',
  }
}

function isCutShort({ isAtLimit, parts }: Heard): boolean {
  return isAtLimit && !isRight(parts)
}

/** Whether there is exactly one call, of this tool, with these two numbers. */
function isRight(parts: readonly Part[]): boolean {
  const [call, ...others] = callsOf(parts)
  if (call === undefined || others.length > 0 || call.name !== add.name || call.invalid !== undefined)
    return false
  const { a, b, ...rest }: JsonObject = call.args ?? {}
  const numbers = [a, b].map((each) => (each === '' ? Number.NaN : Number(each))).sort()
  return numbers[0] === 2 && numbers[1] === 3 && Object.keys(rest).length === 0
}

function textIn(parts: readonly Part[]): string {
  const calls = callsOf(parts).map(
    ({ name, rawArgs, invalid }) =>
      `${name} ${rawArgs}${invalid === undefined ? '' : ` (${invalid.message})`}`,
  )
  const said = [textOf(parts), ...calls].map((each) => each.replace(/\s+/g, ' ').trim())
  const whole = Array.from(said.filter((each) => each !== '').join(' · '))
  return whole.length <= maxSaid ? whole.join('') : `${whole.slice(0, maxSaid - 1).join('')}…`
}
