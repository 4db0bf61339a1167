/**
 * Opens all that the tools of agents reach outside of their run: walls, databases, the web, MCP servers, APIs, memory,
 * knowledge and skills.
 */
import { readOpenapi } from '#lib/sandbox/openapi'
import { readSkillArchive } from '#lib/sandbox/skills'
import type { Parts } from '#lib/spec/config'
import type { Stores } from '#lib/spec/store'
import { systemClock } from './clock'
import type { DataFolder } from './environment/data-folder'
import type { Environment } from './environment/environment'
import { nothingSaid } from './environment/environment-outbound'
import { openMcp } from './mcp/mcp'
import { agentsUsing } from './mcp/users'
import { createOpenapiDocuments, type OpenapiDocuments } from './ports/openapi-documents'
import { createPorts } from './ports/ports'
import { createSkills } from './ports/skills'
import { databaseSources } from './ports/stored-databases'
import { createWebSearch } from './ports/web-search'
import type { Models } from './providers/models'
import { createRecall } from './recall/recall'

interface ReachRequest {
  readonly stores: Stores
  readonly environment: Environment
  readonly folders: DataFolder
  readonly models: Pick<Models, 'vault' | 'signInKeep' | 'redact' | 'providers' | 'surroundings'>
  readonly parts: Parts
  readonly version: string
}

export function openReach({ stores, environment, folders, models, parts, version }: ReachRequest) {
  const { dataFolder, minimumWall, publicOrigin, outbound = nothingSaid } = environment
  const { vault, signInKeep, redact, providers, surroundings } = models
  const { settings, agents } = stores
  const { now } = systemClock
  const mcp = openMcp({
    ...{ store: stores.mcpServers, vault, signInKeep, redact, publicOrigin, now, version },
    ...{ data: dataFolder, temporary: folders.temporary, file: environment.mcpConfig },
    noStdio: environment.noStdio,
    allowHosts: outbound.allowHosts,
    usersOf: (server) => agentsUsing(agents, server),
  })
  const search = createWebSearch({ settings, vault, environment: outbound.search ?? {}, now })
  const recall = createRecall({
    ...{ stores, providers, parts: parts.providers, fetch: surroundings.fetch, now },
  })
  const skills = createSkills({ store: stores.skills, agents, read: readSkillArchive, now })
  const ports = createPorts({
    data: dataFolder,
    registered: () => databaseSources(settings, vault),
    allowHosts: outbound.allowHosts,
    temporary: folders.temporary,
    ...(minimumWall && { minimumWall }),
    ...{ mcp: mcp.connections, search, skills, knowledge: recall.knowledge, open: vault.open },
    openapi: { hashes: (document) => openapiDocuments.hashes(document) },
  })
  const { shared, walls, databases } = ports
  const openapiDocuments: OpenapiDocuments = createOpenapiDocuments({
    ...{ settings, folder: dataFolder, agents, now, web: shared.web, read: readOpenapi },
  })
  return {
    ...{ shared, walls, databases, mcp, search, recall, skills, openapiDocuments },
    close() {
      recall.embeddings.close()
      ports.close()
      search.close()
      void mcp.close()
    },
  }
}
