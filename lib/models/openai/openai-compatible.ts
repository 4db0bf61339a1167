/** The provider for servers that are compatible with OpenAI's API, local or not. */
import { z } from 'zod'
import type { Provider } from '#lib/spec/model'
import { chatKeys, extra, modelName, promptCache } from '../settings'
import { type ChatKind, connectChat } from './chat'
import { probeOpenai } from './connection'
import { embedTexts } from './embeddings'
import { openai } from './openai'

const { temperature, reasoningEffort } = openai.settings.shape

const settings = z.object({
  endpoint: z.string().trim().min(1).max(64).meta({
    title: 'Endpoint',
    description: 'One that was added under Settings, by its name.',
    format: 'endpoint',
    always: true,
  }),
  ...openai.settings.shape,
  name: modelName.meta({
    title: 'Model',
    description: 'As the endpoint names it.',
    format: 'model',
    always: true,
  }),
  temperature: temperature.meta({
    title: 'Temperature',
    description: 'From 0, the likeliest words, to 2. Not sent when empty.',
  }),
  reasoningEffort: reasoningEffort.meta({
    title: 'Reasoning effort',
    description: 'How much the model thinks before it answers. Not every endpoint takes it.',
  }),
  promptCache: promptCache(
    'Sends a key with long requests by which the endpoint finds what it has cached of earlier ones. Only where the endpoint takes it, as set under Settings.',
  ),
  extra: extra(chatKeys, '{"user": "u-17"}'),
})

function kindOf(endpoint: string): ChatKind {
  return {
    provider: 'openai-compatible',
    endpoint,
    label: endpoint,
    maxTokensKey: 'max_tokens',
    noText: '',
    replays: true,
    cachesWhereSet: true,
  }
}

export const openaiCompatible: Provider<typeof settings> = {
  id: 'openai-compatible',
  label: 'OpenAI-compatible',
  help: 'A server that speaks OpenAI’s language, such as one on this computer. It is added under Settings.',
  keywords: ['ollama', 'vllm', 'lm studio', 'local'],
  settings,
  service: { baseUrl: null, usualPath: '/v1' },
  probe: (endpoint, context, signal) =>
    probeOpenai({ kind: kindOf(endpoint.name), endpoint, context, signal }),
  embed: embedTexts,
  connect: (settings, context) => connectChat(kindOf(settings.endpoint), settings, context),
}
