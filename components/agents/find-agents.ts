/** Which agents the list shows, and in which order. Pure. */
import type { AgentSummary } from '#lib/wire/agents'

const agentOrders = ['changed', 'name'] as const
export type AgentOrder = (typeof agentOrders)[number]

/** The remembered order; by default, the last changed agent first. */
export function readOrder(remembered: string | null): AgentOrder {
  return agentOrders.find((each) => each === remembered) ?? 'changed'
}

/** From this many agents on, the page shows rows and hides the templates, which are then in the menu. */
export const manyAgents = 12

const agentViews = ['cards', 'list'] as const
export type ListView = (typeof agentViews)[number]

/** The remembered view; by default, rows when there are many agents. */
export function readView(remembered: string | null, count: number): ListView {
  return agentViews.find((each) => each === remembered) ?? (count >= manyAgents ? 'list' : 'cards')
}

export function labelOf({ title, name }: Pick<AgentSummary, 'title' | 'name'>): string {
  return title === '' ? name : title
}

/** The agents that contain every word of `query`, sorted by `order`. */
export function findAgents(
  agents: readonly AgentSummary[],
  query: string,
  order: AgentOrder,
): readonly AgentSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = agents.filter(({ name, title, description }) => {
    const text = `${name} ${title} ${description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  return found.sort(order === 'name' ? byName : (a, b) => b.updatedAt - a.updatedAt || byName(a, b))
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function byName(a: AgentSummary, b: AgentSummary): number {
  return collator.compare(labelOf(a), labelOf(b))
}
