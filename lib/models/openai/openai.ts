/** The provider for OpenAI's own service through its Chat Completions API. */
import { z } from 'zod'
import type { Provider } from '#lib/spec/model'
import {
  chatKeys,
  contextWindow,
  extra,
  maxOutputTokens,
  modelName,
  pictures,
  promptCache,
  stream,
  temperature,
  timeoutSeconds,
  topP,
} from '../settings'
import { type ChatKind, connectChat } from './chat'
import { probeOpenai } from './connection'
import { embedTexts } from './embeddings'
import { service } from './service'

const settings = z.object({
  name: modelName.default('gpt-5-mini').meta({
    title: 'Model',
    description: 'As OpenAI names it.',
    format: 'model',
    always: true,
  }),
  temperature: temperature(2).meta({
    title: 'Temperature',
    description: 'From 0, the likeliest words, to 2. Not sent when empty: models that think take none.',
  }),
  topP,
  maxOutputTokens,
  reasoningEffort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional().meta({
    title: 'Reasoning effort',
    description: 'How much the model thinks before it answers. Not every model takes every value.',
  }),
  stream,
  pictures,
  contextWindow,
  timeoutSeconds,
  promptCache: promptCache(
    'Sends a key with long requests by which OpenAI finds what it has cached of earlier ones. Cached input costs less.',
  ),
  extra: extra(chatKeys, '{"user": "u-17", "store": true, "metadata": {"stage": "plan"}}'),
})

const kind: ChatKind = {
  provider: 'openai',
  endpoint: 'openai',
  home: service.baseUrl,
  label: 'OpenAI',
  maxTokensKey: 'max_completion_tokens',
  noText: null,
  replays: false,
}

export const openai: Provider<typeof settings> = {
  id: 'openai',
  label: 'OpenAI',
  help: 'Models of OpenAI. The key is kept under Settings.',
  keywords: ['gpt'],
  settings,
  service,
  probe: (endpoint, context, signal) => probeOpenai({ kind, endpoint, context, signal }),
  embed: embedTexts,
  connect: (settings, context) => connectChat(kind, settings, context),
}
