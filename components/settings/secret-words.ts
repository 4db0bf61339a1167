/** Who uses a secret, in words. Pure. */
import { addTo } from '#lib/spec/lists'

/** Versions of one agent that are named; the newest count most. */
const mostVersions = 3

/**
 * Providers and databases by their names, the others as what they are:
 * `openai, MCP server files, agent notes, agent desk (draft, versions 4 and 3)`.
 */
export function listUsers(usedBy: readonly string[]): string {
  const versions = new Map<string, string[]>()
  for (const each of usedBy) {
    const [agent, version] = agentOf(each)
    if (agent !== undefined) addTo(versions, agent, version)
  }
  const agents = [...versions].map(([agent, of]) => `agent ${agent}${versionsInWords(of)}`)
  return [...usedBy.filter((each) => !isAgent(each)).map(otherInWords), ...agents].join(', ')
}

/** What no longer works without it. */
export function removalEffect(usedBy: readonly string[]): string {
  const agents = listUsers(usedBy.filter(isAgent))
  const others = listUsers(usedBy.filter((each) => !isAgent(each)))
  return [
    others === '' ? '' : `Without it, agents can no longer use ${others}.`,
    agents === '' ? '' : `Requests of ${agents} that need it fail.`,
  ]
    .filter((each) => each !== '')
    .join(' ')
}

const isAgent = (each: string) => each.startsWith('agent:')

const otherInWords = (each: string) => each.replace(/^mcp:/, 'MCP server ')

/** The agent and its published version; the version is empty for a draft. */
function agentOf(user: string): [agent: string | undefined, version: string] {
  const found = /^agent:([^@]*)(?:@(\d+))?$/.exec(user)
  return [found?.[1], found?.[2] ?? '']
}

/** Nothing for a draft alone. */
function versionsInWords(found: readonly string[]): string {
  const versions = found.filter((each) => each !== '')
  if (versions.length === 0) return ''
  const more = versions.length - mostVersions
  const named = [...versions.slice(0, mostVersions), ...(more > 0 ? [`${more} more`] : [])]
  const last = named.pop()
  const list = named.length === 0 ? `version ${last}` : `versions ${named.join(', ')} and ${last}`
  return ` (${found.includes('') ? 'draft, ' : ''}${list})`
}
