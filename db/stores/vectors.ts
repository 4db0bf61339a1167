/** Vectors of the texts of one table, written and read in slices. */
import type { Unembedded, Vector, VectorStore } from '#lib/spec/recall-store'
import type { SqliteConnection } from '#lib/sqlite/driver'

interface VectorTables {
  readonly table: 'memories' | 'passages'
  readonly vectors: 'memory_vectors' | 'passage_vectors'
  /** The condition of a row `r` that it is of one of the scopes `@scopes`, a JSON list. */
  readonly inScopes: string
}

export function vectorStore(
  client: SqliteConnection,
  { table, vectors, inScopes }: VectorTables,
): VectorStore {
  const unembedded = client.prepare<[string, number], Unembedded>(
    `select r.n, r.text from ${table} r left join ${vectors} v on v.n = r.n and v.model = ?
     where v.n is null order by r.n limit ?`,
  )
  const embedded = client.prepare<[string], { rows: number; done: number }>(
    `select (select count(*) from ${table}) as rows, (select count(*) from ${vectors} where model = ?) as done`,
  )
  // A text that was changed meanwhile is read again.
  const put = client.prepare<{ n: number; model: string; vector: Uint8Array; text: string | null }>(
    `insert into ${vectors} (n, model, vector) select n, @model, @vector from ${table}
     where n = @n and (@text is null or text = @text)
     on conflict (n) do update set model = excluded.model, vector = excluded.vector`,
  )
  const putAll = client.transaction((model: string, rows: readonly Vector[]) => {
    for (const { n, vector, text = null } of rows) put.run({ n, model, vector, text })
  }).immediate
  const slice = client.prepare<{ model: string; scopes: string; after: number; limit: number }, Vector>(
    `select v.n, v.vector from ${vectors} v join ${table} r on r.n = v.n
     where v.n > @after and v.model = @model and ${inScopes} order by v.n limit @limit`,
  )
  return {
    unembedded: (model, limit) => unembedded.all(model, limit),
    embedded: (model) => embedded.get(model) ?? { rows: 0, done: 0 },
    putVectors: (model, rows) => putAll(model, rows),
    vectors: (model, scopes, after, limit) =>
      slice.all({ model, scopes: JSON.stringify(scopes), after, limit }),
  }
}
