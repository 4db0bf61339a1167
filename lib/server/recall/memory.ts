/** What agents remember: searched by their runs, and seen, changed and forgotten by people. */
import { questionTerms } from '#db/search-words'
import { ownerOf } from '#db/stores/memories'
import { AppError } from '#lib/spec/errors'
import type { MemoryPort } from '#lib/spec/recall-port'
import type { MemoryRow, MemoryStore } from '#lib/spec/recall-store'
import type { RunRow, Stores } from '#lib/spec/store'
import type {
  FoundMemory,
  MemoryEntry,
  MemoryList,
  MemoryOwners,
  MemoryQuery,
  SearchMemory,
} from '#lib/wire/memory'
import type { Embeddings } from './embeddings'
import { searchMemory } from './search'

/** Expected failures are thrown as AppError. */
export interface Memory {
  /** The memory that a run has. */
  port(run: Pick<RunRow, 'user' | 'threadId'>): MemoryPort
  owners(agentId: string): MemoryOwners
  list(agentId: string, query: MemoryQuery): MemoryList
  search(agentId: string, asked: SearchMemory, signal: AbortSignal): Promise<FoundMemory>
  edit(agentId: string, id: string, text: string): MemoryEntry
  forget(agentId: string, id: string): void
  /** Forgets a whole memory; returns how many entries it had. */
  forgetAll(agentId: string, owner: string): number
}

interface MemoryContext {
  readonly stores: Pick<Stores, 'agents' | 'keys' | 'threads'> & { readonly memories: MemoryStore }
  readonly embeddings?: Pick<Embeddings, 'question' | 'wake'>
  readonly now: () => number
}

const usualLimit = 10

export function createMemory({ stores, embeddings, now }: MemoryContext): Memory {
  const { memories } = stores
  const searching = { memories, ...(embeddings && { embeddings }) }
  const need = (agentId: string) => {
    if (stores.agents.runnable(agentId) === undefined)
      throw new AppError('not_found', 'There is no such agent.')
  }
  return {
    port: (run) => ({
      search: async ({ agent, query, limit }, signal) => {
        if (agent === null) return []
        return searchMemory(searching, { agentId: agent, owner: ownerOf(run), query, limit }, signal)
      },
    }),
    owners: (agentId) => {
      need(agentId)
      const keys = new Map(stores.keys.ofAgent(agentId).map(({ id, name }) => [id, name]))
      return {
        items: memories.owners(agentId).map((each) => ({ ...each, ...labelOf(each.owner, keys, stores) })),
      }
    },
    list: (agentId, { search, ...query }) => {
      need(agentId)
      const terms = search === undefined ? [] : questionTerms(search)
      if (search !== undefined && search.trim() !== '' && terms.length === 0) return { items: [] }
      const page = memories.list({ agentId, ...query, terms })
      return { ...page, items: page.items.map(entryView) }
    },
    search: async (agentId, { owner, query, limit = usualLimit }, signal) => {
      need(agentId)
      return { items: await searchMemory(searching, { agentId, owner, query, limit }, signal) }
    },
    edit: (agentId, id, text) => {
      need(agentId)
      const at = now()
      const said = memories.edit(agentId, id, text.trim(), at)
      if (said === 'twice')
        throw new AppError('conflict', 'Another entry of this memory has the same text.', { path: 'text' })
      const [row] = said === 'missing' ? [] : memories.list({ agentId, id }).items
      if (row === undefined) throw gone()
      embeddings?.wake()
      return entryView(row)
    },
    forget: (agentId, id) => {
      need(agentId)
      if (!memories.forget(agentId, id)) throw gone()
    },
    forgetAll: (agentId, owner) => {
      need(agentId)
      return memories.forgetAll(agentId, owner)
    },
  }
}

function gone(): AppError {
  return new AppError('not_found', 'There is no such entry; it may have been forgotten.')
}

function entryView({ agentId: _, ...row }: MemoryRow): MemoryEntry {
  return row
}

const ofKey = 'user:key:'

function labelOf(
  owner: string,
  keys: ReadonlyMap<string, string>,
  { threads }: Pick<Stores, 'threads'>,
): Pick<MemoryOwners['items'][number], 'kind' | 'label'> {
  if (owner.startsWith(ofKey)) {
    const id = owner.slice(ofKey.length)
    const name = keys.get(id)
    if (name !== undefined) return { kind: 'key', label: name }
  }
  if (owner.startsWith('user:')) return { kind: 'user', label: owner.slice('user:'.length) }
  const id = owner.slice('thread:'.length)
  return { kind: 'thread', label: threads.get(id)?.title || id }
}
