/** A provider for the test of adding parts: a service with Chat Completions at its own address. */
import { z } from 'zod'
import { type ChatKind, connectChat } from '#lib/models/openai/chat'
import { probeOpenai } from '#lib/models/openai/connection'
import { extra, maxOutputTokens, modelName, stream, timeoutSeconds } from '#lib/models/settings'
import type { Provider } from '#lib/spec/model'

const settings = z.object({
  name: modelName.default('acme-large').meta({ title: 'Model', format: 'model', always: true }),
  maxOutputTokens,
  stream,
  timeoutSeconds,
  extra: extra([], '{"user": "u-17"}'),
})

const kind: ChatKind = {
  provider: 'acme',
  endpoint: 'acme',
  label: 'Acme',
  home: 'https://api.acme.example/v1',
  maxTokensKey: 'max_tokens',
  noText: null,
  replays: false,
}

export const acme: Provider<typeof settings> = {
  id: 'acme',
  label: 'Acme',
  help: 'Models of Acme.',
  settings,
  service: {
    baseUrl: 'https://api.acme.example/v1',
    usualPath: '/v1',
    prices: { 'acme-large': [1_000, 2_000] },
    contextWindows: { 'acme-*': 64_000 },
  },
  probe: (endpoint, context, signal) => probeOpenai({ kind, endpoint, context, signal }),
  connect: (given, context) => connectChat(kind, given, context),
}
