/** Searches memories and passages: by their words, and by meaning where a model of embeddings is set. */
import { questionTerms } from '#db/search-words'
import type { MemoryHit, Passage } from '#lib/spec/recall'
import type { KnowledgeStore, MemoryRow, MemoryStore } from '#lib/spec/recall-store'
import type { Embeddings } from './embeddings'
import { nearest, rank } from './ranking'

interface SearchContext {
  /** Default: searched by words alone. */
  readonly embeddings?: Pick<Embeddings, 'question'>
}

/** How many of each list are ranked together, for each result. */
const deeper = 4
const leastDeep = 40

/** The entries of one memory that fit a question, the best first. */
export async function searchMemory(
  { memories, embeddings }: SearchContext & { readonly memories: MemoryStore },
  { agentId, owner, query, limit }: Pick<MemoryRow, 'agentId' | 'owner'> & { query: string; limit: number },
  signal: AbortSignal,
): Promise<MemoryHit[]> {
  const depth = Math.max(leastDeep, limit * deeper)
  const words = memories.find({ agentId, owner }, questionTerms(query), depth)
  const asked = await embeddings?.question(query, signal)
  const near = asked && (await nearest({ store: memories, ...asked, scopes: [agentId, owner], limit: depth }))
  const best = rank(words, near, limit)
  const rows = new Map(memories.rows(best.map(({ n }) => n)).map((row) => [row.n, row]))
  return best.flatMap(({ n, ...fit }) => {
    const row = rows.get(n)
    return row === undefined ? [] : [{ ...fit, id: row.id, text: row.text, at: row.updatedAt }]
  })
}

/** The passages of these collections that fit a question, the best first. */
export async function searchPassages(
  { knowledge, embeddings }: SearchContext & { readonly knowledge: KnowledgeStore },
  { ids, query, limit }: { ids: readonly string[]; query: string; limit: number },
  signal: AbortSignal,
): Promise<Passage[]> {
  const depth = Math.max(leastDeep, limit * deeper)
  const words = knowledge.find(ids, questionTerms(query), depth)
  const asked = await embeddings?.question(query, signal)
  const near = asked && (await nearest({ store: knowledge, ...asked, scopes: ids, limit: depth }))
  const best = rank(words, near, limit)
  const rows = new Map(knowledge.rows(best.map(({ n }) => n)).map((row) => [row.n, row]))
  return best.flatMap(({ n, ...fit }) => {
    const row = rows.get(n)
    if (row === undefined) return []
    const { n: _, ...passage } = row
    return [{ ...fit, ...passage }]
  })
}
