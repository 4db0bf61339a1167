/** The server itself: its settings, signing in, its health, and the description of this API. */
import { AppError } from '#lib/spec/errors'
import { health } from '#lib/wire/health'
import { openSession } from '#lib/wire/session'
import { saveSettings, settingsView } from '#lib/wire/settings'
import { openapi } from '../openapi'
import { openapiDocument } from '../openapi-schemas'
import { cookie, row } from '../row'

export const server = [
  row('GET /api/settings', {
    does: 'Returns facts about the server, and the prices of models.',
    gives: { 200: settingsView },
    handle: ({ app }) => app.settings(),
  }),
  row('PUT /api/settings', {
    does: 'Saves the prices of models.',
    body: saveSettings,
    example: { prices: [{ model: 'my-model*', input: 0.25, output: 2 }] },
    gives: { 200: settingsView },
    handle: ({ app, body }) => app.saveSettings(body),
  }),
  row('POST /api/session', {
    does: 'Signs a browser in with the token.',
    body: openSession,
    example: { token: 'the-token' },
    gives: { 200: cookie },
    open: true,
    handle: ({ app, body }) => app.sessions.open(body.token),
  }),
  row('DELETE /api/session', {
    does: 'Signs a browser out.',
    gives: { 200: cookie },
    open: true,
    handle: ({ app }) => app.sessions.close(),
  }),
  row('GET /api/health', {
    does: 'Reports whether the server is up and can store data. A 503 says what is wrong.',
    gives: { 200: health },
    open: true,
    handle: ({ app }) => {
      const trouble = app.trouble()
      if (trouble !== undefined) throw new AppError('unavailable', trouble)
      return { status: 'ok', version: app.version } as const
    },
  }),
  row('GET /api/openapi.json', {
    does: 'Returns this description of the API in OpenAPI 3.1.',
    gives: { 200: openapiDocument },
    handle: ({ app, rows }) => openapi(rows, { version: app.version, providerKinds: app.providers.kinds }),
  }),
] as const
