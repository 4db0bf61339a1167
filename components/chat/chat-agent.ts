/** The agent of a chat, as its regions need it: from its drawing, or from what the holder of a key may know. Pure. */
import { samplesOf, titleOf } from '#components/dialogue/sample-questions'
import { drawnModel } from '#components/models/drawn'
import { isDemo, isScripted } from '#components/models/entry'
import type { Catalog } from '#lib/spec/catalog'
import type { OwnKey } from '#lib/wire/agent-keys'
import type { AgentView } from '#lib/wire/agents'

export interface ChatAgent {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Why it cannot be asked, in one sentence. */
  readonly hindrance: string | undefined
  readonly samples: readonly string[]
  /** Answered by the demo's rules or by scripted turns. The page says so, since no AI model answers. */
  readonly script: 'demo' | 'turns' | null
  /** The chat is the whole page, so it leads nowhere else in the product. */
  readonly isBare: boolean
  /**
   * The chat belongs to the holder of an agent key, who sees only threads of that key, and does not decide calls.
   */
  readonly hasKey: boolean
}

/** The agent as its drawing says. */
export function chatAgentOf(
  { id, graph, config, diagnostics }: AgentView,
  catalog: Catalog,
  isBare: boolean,
): ChatAgent {
  const model = drawnModel(graph, catalog)
  const errors = diagnostics.filter((each) => each.severity === 'error').length
  const description = graph.nodes.find((each) => each.kind === 'agent')?.config.description
  return {
    id,
    title: titleOf(graph, catalog),
    description: typeof description === 'string' ? description : '',
    hindrance: config === null ? hindranceOf(errors) : undefined,
    samples: samplesOf(graph, catalog),
    script: model === null || !isScripted(model) ? null : isDemo(model) ? 'demo' : 'turns',
    isBare,
    hasKey: false,
  }
}

function hindranceOf(errors: number): string {
  return errors === 1
    ? 'The agent has an error. Fix it in the builder first.'
    : `The agent has ${errors} errors. Fix them in the builder first.`
}

/** The agent as the holder of a key knows it. */
export function chatAgentOfKey({ agent: { id, title, description, version } }: OwnKey): ChatAgent {
  return {
    id,
    title,
    description,
    hindrance:
      version === null
        ? 'No version of this agent is published yet. Ask whoever gave you this link.'
        : undefined,
    samples: [],
    script: null,
    isBare: true,
    hasKey: true,
  }
}
