/** The provider for OpenAI's own service through its Responses API. */
import { z } from 'zod'
import type { JsonObject } from '#lib/spec/json'
import type { Provider } from '#lib/spec/model'
import { extra } from '../settings'
import type { ModelKind } from '../wire/connection'
import { connectOpenai, probeOpenai } from './connection'
import { openai } from './openai'
import { jsonText, responses, responsesEncoder } from './responses-body'
import { ResponsesHearing } from './responses-stream'
import { service } from './service'

const settings = z.object({
  ...openai.settings.shape,
  extra: extra(
    [
      'input',
      'instructions',
      'temperature',
      'top_p',
      'max_output_tokens',
      'reasoning',
      'text',
      'store',
      'include',
      'background',
      'previous_response_id',
      'conversation',
      'prompt',
    ],
    '{"user": "u-17", "metadata": {"stage": "plan"}}',
  ),
  reasoningSummary: z.enum(['auto', 'concise', 'detailed']).optional().meta({
    title: 'Summary of thoughts',
    description:
      'Shows a short summary of the model’s thoughts. Not requested when empty, because OpenAI gives it only to verified organizations.',
  }),
})
type Settings = z.output<typeof settings>

const kind: ModelKind = { provider: responses, endpoint: 'openai', label: 'OpenAI', home: service.baseUrl }

export const openaiResponses: Provider<typeof settings> = {
  id: responses,
  label: 'OpenAI Responses',
  help: 'Models of OpenAI by its newer API, in which they keep what they thought between calls. The key is that of OpenAI.',
  settings,
  service: { baseUrl: service.baseUrl, endpoint: kind.endpoint },
  probe: (endpoint, context, signal) => probeOpenai({ kind, endpoint, context, signal }),
  connect: (settings, context) =>
    connectOpenai({
      kind,
      settings,
      context,
      api: {
        path: '/responses',
        jsonMark: jsonText,
        encode: responsesEncoder({ head: headOf(settings), thinks: thinks(settings.name) }),
        hearing: (heard) => new ResponsesHearing(heard),
      },
    }),
}

/** Whether the model accepts a request for its reasoning. */
function thinks(name: string): boolean {
  return !/^(ft:)?(gpt-[34]|chatgpt-)|-chat\b/.test(name)
}

function headOf(settings: Settings): JsonObject {
  const { name, temperature, topP, maxOutputTokens, reasoningEffort: effort, stream } = settings
  const { reasoningSummary: summary, extra } = settings
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined ? {} : { summary }),
  }
  return {
    model: name,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxOutputTokens === undefined ? {} : { max_output_tokens: maxOutputTokens }),
    ...(Object.keys(reasoning).length === 0 ? {} : { reasoning }),
    stream,
    // The service stores nothing, so the reasoning comes encrypted, to be sent back later.
    store: false,
    ...(thinks(name) ? { include: ['reasoning.encrypted_content'] } : {}),
    ...extra,
  }
}
