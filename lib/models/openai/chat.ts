/** Connects models that use Chat Completions: OpenAI's own and those of compatible services. */
import type { JsonObject } from '#lib/spec/json'
import type { ModelClient, ModelContext } from '#lib/spec/model'
import type { ModelKind } from '../wire/connection'
import { chatEncoder, jsonFormat } from './chat-body'
import { OpenaiHearing } from './chat-stream'
import { connectOpenai, type OpenaiSettings } from './connection'

/** The differences between OpenAI's service and compatible ones. */
export interface ChatKind extends ModelKind {
  readonly maxTokensKey: 'max_completion_tokens' | 'max_tokens'
  readonly noText: null | ''
  /** Whether reasoning is sent back to the endpoint that it came from. */
  readonly replays: boolean
}

export function connectChat(kind: ChatKind, settings: OpenaiSettings, context: ModelContext): ModelClient {
  const { noText } = kind
  const replaysTo = kind.replays ? kind.endpoint : undefined
  return connectOpenai({
    kind,
    settings,
    context,
    api: {
      path: '/chat/completions',
      jsonMark: jsonFormat,
      encode: chatEncoder({ head: headOf(kind, settings), noText, replaysTo }),
      hearing: (heard) => new OpenaiHearing({ ...heard, replaysTo }),
    },
  })
}

function headOf({ maxTokensKey }: ChatKind, settings: OpenaiSettings): JsonObject {
  const { name, temperature, topP, maxOutputTokens, reasoningEffort, stream, extra } = settings
  return {
    model: name,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(maxOutputTokens === undefined ? {} : { [maxTokensKey]: maxOutputTokens }),
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
    ...extra,
  }
}
