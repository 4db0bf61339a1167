/** For tests: ports without an implementation, so that a test provides only those it needs. */

import { noAgents } from './agents-port'
import { noServers } from './mcp'
import { noDocuments } from './openapi-port'
import { noKnowledge, noMemory } from './recall-port'
import type { FileAnswer, JavascriptAnswer, WebAnswer } from './sandbox'
import { noSkills } from './skill-port'
import type { SqlFailure } from './sql'
import type { ToolPorts } from './tool'
import type { ScriptAnswer } from './walls'
import { noSearch } from './web-search'

const gone = async (): Promise<FileAnswer<never>> => ({
  ok: false,
  code: 'unavailable',
  message: 'There are no files here.',
})

const noDatabase: SqlFailure = { ok: false, code: 'unavailable', message: 'There are no databases here.' }

export const closedPorts: ToolPorts = {
  sql: {
    databases: () => [],
    dialectOf: () => 'sqlite',
    query: async () => noDatabase,
    check: async () => noDatabase,
    write: async () => noDatabase,
  },
  files: {
    read: gone,
    write: gone,
    remove: gone,
    makeFolder: gone,
    list: gone,
    keep: gone,
    copyTo: gone,
    takeFrom: gone,
  },
  artifacts: { keep: async () => undefined },
  javascript: {
    run: async (): Promise<JavascriptAnswer> => ({
      ok: false,
      code: 'unavailable',
      message: 'There is no sandbox here.',
      written: [],
    }),
  },
  sandbox: {
    run: async (): Promise<ScriptAnswer> => ({
      ok: false,
      code: 'unavailable',
      message: 'There is no sandbox here.',
    }),
    wall: async () => undefined,
  },
  charts: {
    draw: async () => ({ ok: false, code: 'unavailable', message: 'There are no charts here.' }),
  },
  reports: {
    make: async () => ({ ok: false, code: 'unavailable', message: 'There are no reports here.' }),
  },
  jsonQueries: {
    ask: async () => ({ ok: false, code: 'unavailable', message: 'There are no queries here.' }),
  },
  web: {
    fetch: async (): Promise<WebAnswer> => ({
      ok: false,
      code: 'blocked',
      message: 'There is no web here.',
      retryable: false,
    }),
    readable: async () => undefined,
  },
  http: {
    send: async () => ({ ok: false, code: 'blocked', message: 'There is no web here.', retryable: false }),
  },
  search: noSearch,
  openapi: noDocuments,
  mcp: noServers,
  memory: noMemory,
  knowledge: noKnowledge,
  skills: noSkills,
  agents: noAgents,
}
