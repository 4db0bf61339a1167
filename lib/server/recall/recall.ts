/** Composes what agents remember and the collections of knowledge, with the model of embeddings that both use. */
import type { Provider } from '#lib/spec/model'
import type { Stores } from '#lib/spec/store'
import type { Providers } from '../providers/providers'
import { createEmbeddings, type Embeddings } from './embeddings'
import { createKnowledge, type Knowledge } from './knowledge'
import { createMemory, type Memory } from './memory'

export interface RecallParts {
  readonly memory: Memory
  readonly knowledge: Knowledge
  readonly embeddings: Embeddings
  /** Cleans up what an earlier server left, and gives new texts their meaning. */
  begin(): void
}

interface RecallContext {
  readonly stores: Stores
  readonly parts: readonly Provider[]
  readonly providers: Pick<Providers, 'list' | 'endpoint'>
  readonly fetch: typeof globalThis.fetch
  readonly now: () => number
}

export function createRecall({ stores, parts, providers, fetch, now }: RecallContext): RecallParts {
  const embeddings = createEmbeddings({
    settings: stores.settings,
    stores: [stores.memories, stores.knowledge],
    parts,
    providers: () => providers.list().items,
    endpoint: providers.endpoint,
    fetch,
    report: console.error,
  })
  return {
    embeddings,
    memory: createMemory({ stores, embeddings, now }),
    knowledge: createKnowledge({ store: stores.knowledge, agents: stores.agents, embeddings, now }),
    begin: () => {
      stores.knowledge.removeUnfinished()
      embeddings.wake()
    },
  }
}
