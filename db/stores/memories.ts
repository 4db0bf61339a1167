/** The store of what agents remember. Entries come from events of runs, and are found by their words. */
import { createHash } from 'node:crypto'
import { mostMemories } from '#lib/spec/recall'
import type { MemoryOwner, MemoryRow, MemoryStore, RememberEvent, WordHit } from '#lib/spec/recall-store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { indexedWords, matchInScopes } from '../search-words'
import { pageLimit, readCursor, toPage } from './cursor'
import { vectorStore } from './vectors'

/** The token by which the full-text index tells memories apart. */
function memoryScope(agentId: string, owner: string): string {
  return `m${createHash('sha256').update(`${agentId}\n${owner}`).digest('hex').slice(0, 24)}`
}

/** Whose memory a run has: the user's, or without one the thread's. */
export function ownerOf(run: {
  readonly user?: string | null | undefined
  readonly threadId: string
}): string {
  return run.user == null ? `thread:${run.threadId}` : `user:${run.user}`
}

const columns = `id, agent_id as agentId, owner, text, run_id as runId, created_at as createdAt, updated_at as updatedAt`

/** Stores the entries of an event, within the transaction that stores the event: so nothing is recorded twice. */
export function remembering(client: SqliteConnection): RememberEvent {
  const place = client.prepare<[string], { user: string | null; threadId: string }>(
    'select user, thread_id as threadId from runs where id = ?',
  )
  const record = recording(client)
  return (runId, { agent, entries, at }) => {
    const run = place.get(runId)
    if (agent !== null && run !== undefined)
      record({ agentId: agent, owner: ownerOf(run), runId }, entries, at)
  }
}

function recording(client: SqliteConnection): MemoryStore['record'] {
  const insert = client.prepare<MemoryRow, { n: number; created: number }>(
    `insert into memories (id, agent_id, owner, text, run_id, created_at, updated_at)
     select @id, @agentId, @owner, @text, @runId, @createdAt, @updatedAt
     where exists (select 1 from agents where id = @agentId)
     on conflict (agent_id, owner, text) do update set updated_at = excluded.updated_at
     on conflict (id) do nothing
     returning n, id = @id as created`,
  )
  const index = client.prepare<[number, string, string]>(
    'insert into memory_words (rowid, scope, words) values (?, ?, ?)',
  )
  const count = client
    .prepare<[string, string], number>('select count(*) from memories where agent_id = ? and owner = ?')
    .pluck()
  const dropOldest = client.prepare<[string, string, number]>(
    `delete from memories where n in
       (select n from memories where agent_id = ? and owner = ? order by updated_at, n limit ?)`,
  )
  return (of, entries, at) => {
    for (const { id, text: given } of entries) {
      const text = given.toWellFormed()
      const row = insert.get({ ...of, id, text, createdAt: at, updatedAt: at })
      if (row?.created === 1) index.run(row.n, memoryScope(of.agentId, of.owner), indexedWords(text))
    }
    const over = (count.get(of.agentId, of.owner) ?? 0) - mostMemories
    if (over > 0) dropOldest.run(of.agentId, of.owner, over)
  }
}

export function memoryStore(client: SqliteConnection): MemoryStore {
  const find = client.prepare<[string, number], WordHit>(
    `select rowid as n, -bm25(memory_words, 0.0, 1.0) as words from memory_words
     where memory_words match ? order by words desc, rowid desc limit ?`,
  )
  const byNumbers = client.prepare<[string], MemoryRow & { n: number }>(
    `select n, ${columns} from memories where n in (select value from json_each(?))`,
  )
  const owners = client.prepare<[string], MemoryOwner>(
    `select owner, count(*) as entries, max(updated_at) as updatedAt from memories
     where agent_id = ? group by owner order by updatedAt desc, owner limit 1000`,
  )
  const list = client.prepare<ListAsked, MemoryRow & { n: number }>(
    `select n, ${columns} from memories
     where agent_id = @agentId and (@owner is null or owner = @owner) and (@id is null or id = @id)
       and (updated_at, n) < (@at, @before)
       and (@match is null or n in (select rowid from memory_words where memory_words match @match))
     order by updated_at desc, n desc limit @limit`,
  )
  const one = client.prepare<[string, string], { n: number; owner: string }>(
    'select n, owner from memories where agent_id = ? and id = ?',
  )
  const twin = client.prepare<[string, string, string, number]>(
    'select 1 from memories where agent_id = ? and owner = ? and text = ? and n <> ?',
  )
  const change = client.prepare<[string, number, number]>(
    'update memories set text = ?, updated_at = ? where n = ?',
  )
  const unindex = client.prepare<[number]>('delete from memory_words where rowid = ?')
  const index = client.prepare<[number, string, string]>(
    'insert into memory_words (rowid, scope, words) values (?, ?, ?)',
  )
  const remove = client.prepare<[string, string]>('delete from memories where agent_id = ? and id = ?')
  const removeAll = client.prepare<[string, string]>('delete from memories where agent_id = ? and owner = ?')
  const edit = client.transaction((agentId: string, id: string, given: string, at: number) => {
    const text = given.toWellFormed()
    const row = one.get(agentId, id)
    if (row === undefined) return 'missing' as const
    if (twin.get(agentId, row.owner, text, row.n) !== undefined) return 'twice' as const
    change.run(text, at, row.n)
    unindex.run(row.n)
    index.run(row.n, memoryScope(agentId, row.owner), indexedWords(text))
    return 'saved' as const
  }).immediate
  const record = client.transaction(recording(client)).immediate
  return {
    ...vectorStore(client, {
      table: 'memories',
      vectors: 'memory_vectors',
      inScopes: 'r.agent_id = @scopes ->> 0 and r.owner = @scopes ->> 1',
    }),
    record: (of, entries, at) => record(of, entries, at),
    find: ({ agentId, owner }, terms, limit) =>
      terms.length === 0 ? [] : find.all(matchInScopes(terms, [memoryScope(agentId, owner)]), limit),
    rows: (numbers) => byNumbers.all(JSON.stringify(numbers)),
    owners: (agentId) => owners.all(agentId),
    list: ({ agentId, owner, id, terms, cursor, limit: asked }) => {
      const limit = pageLimit(asked)
      const [, at, before] = cursor === undefined ? [] : readCursor(cursor, /^(\d+)\.(\d+)$/)
      const match = terms === undefined || terms.length === 0 ? null : wordsOnly(terms)
      const from = { at: Number(at ?? Number.MAX_SAFE_INTEGER), before: Number(before ?? 0) }
      const found = list.all({
        agentId,
        owner: owner ?? null,
        id: id ?? null,
        ...from,
        match,
        limit: limit + 1,
      })
      return toPage(
        found,
        limit,
        ({ n: _, ...row }) => row,
        ({ updatedAt, n }) => `${updatedAt}.${n}`,
      )
    },
    edit: (agentId, id, text, at) => edit(agentId, id, text, at),
    forget: (agentId, id) => remove.run(agentId, id).changes === 1,
    forgetAll: (agentId, owner) => removeAll.run(agentId, owner).changes,
  }
}

interface ListAsked {
  readonly agentId: string
  readonly owner: string | null
  readonly id: string | null
  readonly at: number
  readonly before: number
  readonly match: string | null
  readonly limit: number
}

function wordsOnly(terms: readonly string[]): string {
  return `words : (${terms.map((each) => `"${each}"`).join(' OR ')})`
}
