/** Tools: run by hand, and the databases they may read. */
import {
  databaseList,
  databaseTest,
  databaseView,
  registerDatabase,
  saveConnection,
  testDatabase,
} from '#lib/wire/databases'
import { triedTool, tryEntry, tryTool } from '#lib/wire/tools'
import { nothing, row } from '../row'

export const tools = [
  row('POST /api/tools/{name}/try', {
    does: 'Runs one tool with the given arguments, without an agent.',
    body: tryTool,
    example: { args: { expression: '6*7' } },
    gives: { 200: triedTool },
    handle: ({ app, params, body, request }) =>
      app.tryTool({ name: params.name, args: body.args, signal: request.signal }),
  }),
  row('POST /api/tool-entries/try', {
    does: 'Runs one tool of an entry, such as an HTTP request, with the given arguments and without an agent.',
    body: tryEntry,
    example: {
      entry: { use: 'http', name: 'get_weather', url: 'https://api.example.com/weather' },
      args: {},
    },
    gives: { 200: triedTool },
    handle: ({ app, body, request }) => app.tryEntry({ ...body, signal: request.signal }),
  }),
  row('GET /api/databases', {
    does: 'Lists the databases that tools may read.',
    gives: { 200: databaseList },
    handle: ({ app }) => app.databases.list(),
  }),
  row('PUT /api/databases', {
    does: 'Registers a SQLite file as a database.',
    body: registerDatabase,
    example: { name: 'sales', path: '/home/me/sales.db' },
    gives: { 200: databaseView },
    handle: ({ app, body }) => app.databases.register(body),
  }),
  row('PUT /api/databases/{name}/connection', {
    does: 'Adds a connection to a PostgreSQL database, or changes it. Passwords are stored as secrets of its address; an absent one stays as it is.',
    body: saveConnection,
    example: {
      ...{ kind: 'postgresql', host: 'db.example.com', database: 'sales', user: 'agent_reader' },
      ...{ password: 'a password', tls: 'verify' },
    },
    gives: { 200: databaseView },
    handle: ({ app, params, body }) => app.databases.connect(params.name, body),
  }),
  row('POST /api/databases/{name}/test', {
    does: 'Opens a database and says what it finds: version, role, tables. With `connection`, tests that one and stores nothing.',
    body: testDatabase,
    example: {},
    gives: { 200: databaseTest },
    handle: ({ app, params, body, request }) => app.databases.test(params.name, body, request.signal),
  }),
  row('DELETE /api/databases/{name}', {
    does: 'Removes a database from the list. Its file is not deleted.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.databases.remove(params.name),
  }),
] as const
