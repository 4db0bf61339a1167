/** Providers of models, their models, and the secrets that hold keys. */
import { modelTest, testModel } from '#lib/wire/model-test'
import * as wire from '#lib/wire/providers'
import { saveSecret, secretList, secretView } from '#lib/wire/secrets'
import { nothing, row } from '../row'

export const providers = [
  row('GET /api/providers', {
    does: 'Lists the model providers.',
    gives: { 200: wire.providerList },
    handle: ({ app }) => app.providers.list(),
  }),
  row('PUT /api/providers/{name}', {
    does: 'Saves the settings of a provider, or adds an endpoint.',
    body: wire.saveProvider,
    example: { baseUrl: 'http://127.0.0.1:11434/v1' },
    gives: { 200: wire.providerView },
    handle: ({ app, params, body }) => app.providers.save(params.name, body),
  }),
  row('DELETE /api/providers/{name}', {
    does: 'Deletes an endpoint, or the settings of a provider.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.providers.remove(params.name),
  }),
  row('POST /api/providers/{name}/test', {
    does: 'Tests a provider by asking it for its models. Values in the body are used instead of the saved ones, and are not saved.',
    body: wire.saveProvider,
    mayBeEmpty: true,
    gives: { 200: wire.providerTest },
    handle: ({ app, params, body, request }) => app.providers.test(params.name, body, request.signal),
  }),
  row('POST /api/providers/{name}/test-model', {
    does: 'Asks one model to make the same small call in each format, and recommends a format.',
    body: testModel,
    example: { model: 'my-model' },
    gives: { 200: modelTest },
    handle: ({ app, params, body, request }) => app.providers.testModel(params.name, body, request.signal),
  }),
  row('GET /api/models', {
    does: 'Lists the models of all providers that are ready.',
    gives: { 200: wire.modelList },
    handle: ({ app }) => app.providers.models(),
  }),
  row('GET /api/secrets', {
    does: 'Lists the secrets, without their values.',
    gives: { 200: secretList },
    handle: ({ app }) => app.secrets.list(),
  }),
  row('PUT /api/secrets/{name}', {
    does: 'Saves a secret. Its value is never returned.',
    body: saveSecret,
    example: { value: 'a-key', origins: ['https://api.example.com'] },
    gives: { 200: secretView },
    handle: ({ app, params, body }) => app.secrets.save(params.name, body),
  }),
  row('DELETE /api/secrets/{name}', {
    does: 'Deletes a secret.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.secrets.remove(params.name),
  }),
] as const
