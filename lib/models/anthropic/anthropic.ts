/** The provider for Anthropic's own service through its Messages API. */
import { z } from 'zod'
import { isObject, type JsonObject } from '#lib/spec/json'
import type { Endpoint, ModelClient, ModelContext, ModelTarget, Provider } from '#lib/spec/model'
import { probe } from '../probe'
import { extra, maxOutputTokens, modelName, stream, temperature, timeoutSeconds, topP } from '../settings'
import { ChunkBuffer } from '../wire/chunk-buffer'
import { byRequest, createClientOnce, going } from '../wire/clients'
import { converse } from '../wire/exchange'
import { settingsFault } from '../wire/faults'
import { textIn } from '../wire/json'
import { reach, siteOf } from '../wire/reachable'
import { waitsOf } from '../wire/waits'
import { withoutEnvHeaders } from '../wire/without-env-headers'
import { messagesEncoder } from './body'
import { service } from './service'
import { AnthropicHearing } from './stream'

/** The API requires a token limit. This is the default, on top of the thinking budget. */
const defaultOutputTokens = 4_096
/** The last API version that accepts temperature and top P. */
const samplingVersion = '2023-06-01'
/** The API version of the official client. */
const newestVersion = '2026-10-21'
const messagesPath = '/v1/messages'

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
    title: 'Longest answer',
    description: 'Thoughts count as well. 4,096 when empty.',
    unit: 'tokens',
  }),
  reasoningEffort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional().meta({
    title: 'Effort',
    description: 'How much the model thinks and does before it answers. Not every model takes every value.',
  }),
  thinkingTokens: z.int().min(1_024).max(1_000_000).optional().meta({
    title: 'Thinking budget',
    description:
      'For older models, which think only when given a budget. Newer ones refuse it: set the effort.',
    unit: 'tokens',
  }),
  stream,
  timeoutSeconds,
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

const kind = { endpoint: 'anthropic', label: 'Anthropic', home: service.baseUrl }

export const anthropic: Provider<typeof settings> = {
  id: 'anthropic',
  label: 'Anthropic',
  help: 'Models of Anthropic. The key is kept under Settings.',
  settings,
  service,
  connect: connectAnthropic,
  probe: (endpoint, context, signal) =>
    probe({ kind, endpoint, context, signal }, (reached) => ({
      first: '/v1/models?limit=1000',
      get: async (path, how) => await (await makeClient(reached)).get(path, going(how)).asResponse(),
      next(page) {
        const last = isObject(page) && page.has_more === true ? textIn(page, 'last_id') : ''
        return last === '' ? undefined : `/v1/models?limit=1000&after_id=${encodeURIComponent(last)}`
      },
    })),
}

function connectAnthropic(settings: Settings, context: ModelContext): ModelClient {
  const { stream, timeoutSeconds, reasoningEffort = '', thinkingTokens = 0 } = settings
  const clientOf = createClientOnce(makeClient)
  const isPatient = ['high', 'xhigh', 'max'].includes(reasoningEffort) || thinkingTokens > 16_000
  return {
    provider: 'anthropic',
    name: settings.name,
    encode: messagesEncoder(headOf(settings)),
    target: (key) => {
      const place = reach(kind, context.endpoint('anthropic'))
      return place.ok ? targetOf(place.endpoint, settings, key) : undefined
    },
    async *stream(body, signal) {
      const place = reach(kind, context.endpoint('anthropic'))
      if (!place.ok) return yield { type: 'fault', fault: settingsFault(place.message) }
      const { endpoint } = place
      const site = siteOf(kind.label, endpoint)
      const heard = { out: new ChunkBuffer(), site, asked: body, maxOutputTokens: maxTokensOf(settings) }
      yield* converse({
        site,
        waits: waitsOf(endpoint, { stream, timeoutSeconds, isPatient }),
        stream,
        fetch: context.fetch,
        signal,
        hearing: new AnthropicHearing(heard),
        async send(how) {
          const client = await clientOf(endpoint)
          const headers = headersOf(settings)
          return await client.post(messagesPath, { body, headers, ...going(how) }).asResponse()
        },
      })
    },
  }
}

function targetOf({ baseUrl, key: own }: Endpoint, settings: Settings, key: string): ModelTarget {
  return {
    url: `${rootOf(baseUrl)}${messagesPath}`,
    headers: { ...headersOf(settings), ...(own !== undefined && { authorization: `Bearer ${key}` }) },
  }
}

function headersOf({ temperature, topP }: Settings): Record<string, string> {
  const samples = temperature !== undefined || topP !== undefined
  return {
    'content-type': 'application/json',
    'anthropic-version': samples ? samplingVersion : newestVersion,
  }
}

/** The API's paths start with the version, which people often include in the address. */
function rootOf(baseUrl: string): string {
  return baseUrl.replace(/\/v1$/, '')
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
async function makeClient({ baseUrl, key }: Pick<Endpoint, 'baseUrl' | 'key'>) {
  const { Anthropic } = await import('@anthropic-ai/sdk')
  return withoutEnvHeaders(
    'ANTHROPIC_CUSTOM_HEADERS',
    () =>
      new Anthropic({
        baseURL: rootOf(baseUrl),
        // Without a key the client would look for one in the environment and in files; the header made from
        // this one is removed below.
        apiKey: key ?? 'none',
        webhookKey: null,
        defaultHeaders: key === undefined ? { authorization: null } : {},
        openTelemetry: false,
        fetch: byRequest,
        maxRetries: 0,
        logLevel: 'off',
      }),
  )
}
