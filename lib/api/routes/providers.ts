/** Providers of models, their models, and the secrets that hold keys. */
import { modelTest, testModel } from '#lib/wire/model-test'
import * as wire from '#lib/wire/providers'
import { saveSecret, secretList, secretView } from '#lib/wire/secrets'
import { nothing, row } from '../row'

export const providers = [
  row('GET /api/providers', {
    does: 'Lists the providers of models.',
    gives: { 200: wire.providerList },
    handle: ({ app }) => app.providers.list(),
  }),
  row('PUT /api/providers/{name}', {
    does: 'Sets or adds a provider.',
    body: wire.saveProvider,
    example: { baseUrl: 'http://127.0.0.1:11434/v1' },
    gives: { 200: wire.providerView },
    handle: ({ app, params, body }) => app.providers.save(params.name, body),
  }),
  row('DELETE /api/providers/{name}', {
    does: 'Forgets an endpoint, or what was set for a provider.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.providers.remove(params.name),
  }),
  row('POST /api/providers/{name}/test', {
    does: 'Asks a provider for its models, with values that need not be saved yet.',
    body: wire.saveProvider,
    mayBeEmpty: true,
    gives: { 200: wire.providerTest },
    handle: ({ app, params, body, request }) => app.providers.test(params.name, body, request.signal),
  }),
  row('POST /api/providers/{name}/test-model', {
    does: 'Asks one model for the same small call in each format, and says which format to take.',
    body: testModel,
    example: { model: 'my-model' },
    gives: { 200: modelTest },
    handle: ({ app, params, body, request }) => app.providers.testModel(params.name, body, request.signal),
  }),
  row('GET /api/models', {
    does: 'The models that ready providers have.',
    gives: { 200: wire.modelList },
    handle: ({ app }) => app.providers.models(),
  }),
  row('GET /api/secrets', {
    does: 'Lists secrets without their values.',
    gives: { 200: secretList },
    handle: ({ app }) => app.secrets.list(),
  }),
  row('PUT /api/secrets/{name}', {
    does: 'Writes a secret; it is never read back.',
    body: saveSecret,
    example: { value: 'a-key', origins: ['https://api.example.com'] },
    gives: { 200: secretView },
    handle: ({ app, params, body }) => app.secrets.save(params.name, body),
  }),
  row('DELETE /api/secrets/{name}', {
    does: 'Forgets a secret.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.secrets.remove(params.name),
  }),
] as const
