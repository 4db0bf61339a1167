/** For tests: clients of the providers in a given context, and the fault that ends an answer. */
import type { ModelClient, ModelContext, ModelFault } from '#lib/spec/model'
import { anthropic } from '../anthropic/anthropic'
import { openai } from '../openai/openai'
import { openaiCompatible } from '../openai/openai-compatible'
import { openaiResponses } from '../openai/openai-responses'
import { heard } from './hear.fixture'

export const chat = (context: ModelContext, settings: object = {}): ModelClient =>
  openai.connect(openai.settings.parse(settings), context)
export const local = (context: ModelContext): ModelClient =>
  openaiCompatible.connect(openaiCompatible.settings.parse({ endpoint: 'lab', name: 'qwen' }), context)
export const messages = (context: ModelContext, settings: object = {}): ModelClient =>
  anthropic.connect(anthropic.settings.parse(settings), context)
export const responses = (context: ModelContext, settings: object = {}): ModelClient =>
  openaiResponses.connect(openaiResponses.settings.parse(settings), context)
export const services = [
  ['openai', chat],
  ['anthropic', messages],
  ['openai-responses', responses],
] as const

export async function faultOf(client: ModelClient): Promise<ModelFault> {
  const last = (await heard(client)).at(-1)
  if (last?.type !== 'fault') throw new Error(`no fault but ${last?.type}`)
  return last.fault
}
