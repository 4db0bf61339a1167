/** Lets the model name the tools of a run once, before its first step. Whatever goes wrong, the run goes on. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { ModelClient } from '#lib/spec/model'
import { longestGivenPersona } from '#lib/spec/persona'
import type { RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { stopOf } from '../deps'
import type { Engine } from '../engine'
import { redactText } from '../observation/redact'
import { fixedPersona } from '../personas'
import { bareJson } from '../request/output'
import { createCompletion } from './complete'

const timeoutSeconds = 30
const maxTokens = 800
/** The most tools that the model is told of. */
const mostTools = 60

/** Whether the model still has to be asked. */
export function needsPersonas({ state, limits }: Pick<Engine, 'state' | 'limits'>): boolean {
  return limits.personas?.generate === true && state.personas === undefined && state.steps.length === 0
}

export async function* assignPersonas(engine: Engine): AsyncGenerator<RunEvent, void> {
  const { state, deps, limits, signal, emit } = engine
  const { model: client, price, breaker, modelTimeoutSeconds } = deps
  const tools = engine.offering.set.offered.filter(
    (tool) => limits.personas === undefined || fixedPersona(limits.personas, tool) === undefined,
  )
  if (tools.length === 0) return
  const ask = (asked: ModelClient) =>
    createCompletion(deps, {
      model: {
        client: asked,
        contextWindow: null,
        timeoutSeconds: modelTimeoutSeconds,
        ...(price && { price }),
        ...(breaker && { breaker }),
      },
      request: { ...requestFor(state, tools.slice(0, mostTools)), timeoutSeconds, maxTokens },
      room: { tokens: limits.budget.tokens, usd: limits.budget.usd },
      step: 1,
    }).ask(signal)
  const { namingModel } = deps
  const first = await ask(namingModel?.cool ?? client)
  // Some models refuse any temperature. A refused request has used nothing.
  const heard = namingModel && refusesTemperature(first.fault) ? await ask(namingModel.plain) : first
  if (stopOf(signal) === 'drain') return
  const { usage, costUsd, durationMs, fault } = heard
  const names = fault === undefined ? namesIn(heard.text, tools) : undefined
  const why = fault ?? (names === undefined ? unreadable : undefined)
  const event: EventBody = {
    type: 'personas.assigned',
    names: Object.fromEntries(
      Object.entries(names ?? {}).map(([tool, name]) => [tool, redactText(deps, name)]),
    ),
    model: { provider: client.provider, name: client.name },
    usage,
    costUsd,
    durationMs,
    ...(why && { error: { code: why.code, message: redactText(deps, why.message) } }),
  }
  yield emit(event)
}

function refusesTemperature(fault: { code: string; message: string } | undefined): boolean {
  return fault?.code === 'bad_request' && /temperature/i.test(fault.message)
}

const unreadable = { code: 'not_fitting', message: 'The model’s answer is not a JSON object of names.' }

function requestFor({ start }: RunState, tools: readonly BoundTool[]) {
  const list = tools.map(({ name, description }) => `- ${name}: ${description.slice(0, 200)}`)
  return {
    purpose: 'Personas',
    instructions: `You name the members of a team. Each tool below is used by one of them. Give each a short name of a role that fits the task, with at most ${longestGivenPersona} characters, in the language of the task. Answer with one JSON object alone: the names by tool name.`,
    prompt: `Agent: ${start.agent.name}\nTask: ${start.input.slice(0, 2_000)}\n\nTools:\n${list.join('\n')}`,
  }
}

/** Names that are too long, and names of tools that do not exist, are left out; undefined when there is no object. */
function namesIn(text: string, tools: readonly BoundTool[]): Record<string, string> | undefined {
  const value = tryParseJson(bareJson(text))
  if (!isObject(value)) return undefined
  const known = new Set(tools.map(({ name }) => name))
  return Object.fromEntries(
    Object.entries(value).flatMap(([tool, name]): [string, string][] => {
      const short = typeof name === 'string' ? name.trim() : ''
      return known.has(tool) && short !== '' && [...short].length <= longestGivenPersona
        ? [[tool, short]]
        : []
    }),
  )
}
