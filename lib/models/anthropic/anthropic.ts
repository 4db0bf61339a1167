/** The provider for Anthropic's own service through its Messages API. */
import { z } from 'zod'
import { isObject, type JsonObject } from '#lib/spec/json'
import type { ModelClient, ModelContext, Provider } from '#lib/spec/model'
import { probe } from '../probe'
import {
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
import { clientOptions, type MakeClient, withoutEnvHeaders } from '../wire/clients'
import { connect, type ModelKind } from '../wire/connection'
import { textIn } from '../wire/json'
import { seesPictures } from '../wire/pictures'
import { messagesEncoder } from './body'
import { cacheMark, cacheMinimumOf } from './cache-marks'
import { service } from './service'
import { AnthropicHearing } from './stream'

/** The API requires a token limit. This is the default, on top of the thinking budget. */
const defaultOutputTokens = 4_096
/** The last API version that accepts temperature and top P. */
const samplingVersion = '2023-06-01'
/** The API version of the official client. */
const newestVersion = '2026-10-21'

const settings = z.object({
  name: modelName.default('claude-sonnet-5-5').meta({
    title: 'Model',
    description: 'As Anthropic names it.',
    format: 'model',
    always: true,
  }),
  temperature: temperature(1).meta({
    title: 'Temperature',
    description: 'From 0, the likeliest words, to 1. Not sent when empty: newer models refuse it.',
  }),
  topP,
  maxOutputTokens: maxOutputTokens.meta({
    title: 'Max output tokens',
    description: 'Thoughts count as well. 4,096 when empty.',
    unit: 'tokens',
  }),
  reasoningEffort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional().meta({
    title: 'Reasoning effort',
    description: 'How much the model thinks and does before it answers. Not every model takes every value.',
  }),
  thinkingTokens: z.int().min(1_024).max(1_000_000).optional().meta({
    title: 'Thinking budget',
    description:
      'For older models, which think only when given a budget. Newer ones refuse it: set the effort.',
    unit: 'tokens',
  }),
  stream,
  pictures,
  contextWindow,
  timeoutSeconds,
  promptCache: promptCache(
    'Marks long requests so that the next step reads their beginning from the cache, at a fraction of the price.',
  ),
  extra: extra(
    [
      'system',
      'max_tokens',
      'temperature',
      'top_p',
      'output_config',
      'thinking',
      'mcp_servers',
      'container',
      'context_management',
    ],
    '{"metadata": {"user_id": "u-17"}}',
  ),
})
type Settings = z.output<typeof settings>

const kind: ModelKind = {
  provider: 'anthropic',
  endpoint: 'anthropic',
  label: 'Anthropic',
  home: service.baseUrl,
  repeated: /\/v1$/,
}

export const anthropic: Provider<typeof settings> = {
  id: 'anthropic',
  label: 'Anthropic',
  help: 'Models of Anthropic. The key is kept under Settings.',
  keywords: ['claude'],
  settings,
  service,
  connect: connectAnthropic,
  probe: (endpoint, context, signal) =>
    probe(
      { kind, endpoint, context, signal },
      {
        first: '/v1/models?limit=1000',
        makeClient,
        next(page) {
          const last = isObject(page) && page.has_more === true ? textIn(page, 'last_id') : ''
          return last === '' ? undefined : `/v1/models?limit=1000&after_id=${encodeURIComponent(last)}`
        },
      },
    ),
}

function connectAnthropic(settings: Settings, context: ModelContext): ModelClient {
  const { reasoningEffort = '', thinkingTokens = 0 } = settings
  return connect({
    kind,
    settings,
    api: {
      path: '/v1/messages',
      headers: headersOf(settings),
      makeClient,
      encode: messagesEncoder(headOf(settings), cacheMinimumOf(settings.name)),
      cache: { mark: cacheMark, about: /cache_control|prompt caching/i },
      hearing: (heard) => new AnthropicHearing(heard),
    },
    context,
    maxOutputTokens: maxTokensOf(settings),
    seesPictures: seesPictures(settings, service),
    isPatient: ['high', 'xhigh', 'max'].includes(reasoningEffort) || thinkingTokens > 16_000,
  })
}

function headersOf({ temperature, topP }: Settings): Record<string, string> {
  const samples = temperature !== undefined || topP !== undefined
  return {
    'content-type': 'application/json',
    'anthropic-version': samples ? samplingVersion : newestVersion,
  }
}

function maxTokensOf({ maxOutputTokens, thinkingTokens = 0 }: Settings): number {
  return maxOutputTokens ?? thinkingTokens + defaultOutputTokens
}

function headOf(settings: Settings): JsonObject {
  const { name, temperature, topP, reasoningEffort, thinkingTokens, stream, extra } = settings
  return {
    model: name,
    max_tokens: maxTokensOf(settings),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(reasoningEffort === undefined ? {} : { output_config: { effort: reasoningEffort } }),
    ...(thinkingTokens === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: thinkingTokens } }),
    stream,
    ...extra,
  }
}

/** The client is loaded with the first request: it is large, and many runs do not need it. */
const makeClient: MakeClient = async (endpoint, how) => {
  const { Anthropic } = await import('@anthropic-ai/sdk')
  return withoutEnvHeaders(
    'ANTHROPIC_CUSTOM_HEADERS',
    () => new Anthropic({ ...clientOptions(endpoint, how), webhookKey: null, openTelemetry: false }),
  )
}
