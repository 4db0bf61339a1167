/** An agent's name made from its title: it follows the title until a person typed a name or published. */
import { freeName, slugOf } from '#lib/spec/slug'
import type { AgentList } from '#lib/wire/agents'

export interface Retitled {
  readonly name: string
  readonly before: string
  readonly after: string
  /** All agents of the server, this one among them. */
  readonly agents: AgentList['items']
}

/** The name for the new title; undefined when the name stays as it is. */
export function nameForTitle({ name, before, after, agents }: Retitled): string | undefined {
  const slug = slugOf(after)
  const isPublished = agents.some((each) => each.name === name && each.version !== null)
  if (slug === '' || isPublished || !isMadeFrom(name, before)) return undefined
  if (isMadeFrom(name, after)) return undefined
  return freeName(slug, new Set(agents.map((each) => each.name)))
}

/** Whether the name is the title's slug, perhaps with the number that made it unique. */
function isMadeFrom(name: string, title: string): boolean {
  const slug = slugOf(title)
  return slug !== '' && (name === slug || name.replace(/-\d+$/, '') === slug.replace(/-\d+$/, ''))
}
