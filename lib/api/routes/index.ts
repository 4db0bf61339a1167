/** The table of routes: every route of the API, by noun and as one list. */
import { agents } from './agents'
import { drawing } from './drawing'
import { keys } from './keys'
import { knowledge } from './knowledge'
import { mcpServers } from './mcp-servers'
import { mcpSignIn } from './mcp-sign-in'
import { memory } from './memory'
import { openapiDocuments } from './openapi-documents'
import { providers } from './providers'
import { runs } from './runs'
import { sandbox } from './sandbox'
import { server } from './server'
import { skills } from './skills'
import { threads } from './threads'
import { tools } from './tools'
import { trials } from './trials'
import { webSearch } from './web-search'

export const nouns = {
  agents,
  keys,
  drawing,
  runs,
  threads,
  tools,
  'tools tried by hand, and mocks': trials,
  'MCP servers': mcpServers,
  'signing in to MCP servers': mcpSignIn,
  'OpenAPI documents': openapiDocuments,
  memory,
  knowledge,
  skills,
  providers,
  'web search': webSearch,
  sandbox,
  server,
}

export const routes = [
  ...agents,
  ...keys,
  ...drawing,
  ...runs,
  ...threads,
  ...tools,
  ...trials,
  ...mcpServers,
  ...mcpSignIn,
  ...openapiDocuments,
  ...memory,
  ...knowledge,
  ...skills,
  ...providers,
  ...webSearch,
  ...sandbox,
  ...server,
] as const

/** The types of all rows, from which the client gets its types. */
export type Routes = typeof routes
