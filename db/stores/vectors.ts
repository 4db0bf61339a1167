/** Vectors of the texts of one table, written and read in slices. Triggers keep one row for each text. */
import type { ReadText, RefusedText, Unembedded, Vector, VectorStore } from '#lib/spec/recall-store'
import type { SqliteConnection } from '#lib/sqlite/driver'

interface VectorTables {
  readonly table: 'memories' | 'passages'
  readonly vectors: 'memory_vectors' | 'passage_vectors'
  /** The condition of a row `r` that it is of one of the scopes `@scopes`, a JSON list. An index answers it. */
  readonly inScopes: string
}

/** The refused texts that are named. */
const mostRefused = 20

export function vectorStore(
  client: SqliteConnection,
  { table, vectors, inScopes }: VectorTables,
): VectorStore {
  // Two ranges of the index, so that texts that this model has read cost nothing.
  const other = (than: '<' | '>') =>
    client.prepare<[string, number], Unembedded>(
      `select v.n, r.text from ${vectors} v indexed by ${vectors}_by_model join ${table} r on r.n = v.n
       where v.model ${than} ? order by v.model, v.n limit ?`,
    )
  const before = other('<')
  const after = other('>')
  const embedded = client.prepare<[string], { rows: number; done: number }>(
    `select count(*) as rows, count(case when model = ? then 1 end) as done from ${vectors}`,
  )
  const refused = client.prepare<[string, number], RefusedText>(
    `select r.text, v.problem from ${vectors} v indexed by ${vectors}_refused join ${table} r on r.n = v.n
     where v.problem is not null and v.model = ? order by v.n limit ?`,
  )
  const countRefused = client
    .prepare<[string], number>(
      `select count(*) from ${vectors} indexed by ${vectors}_refused where problem is not null and model = ?`,
    )
    .pluck()
  const retry = client.prepare(
    `update ${vectors} indexed by ${vectors}_refused set model = '', problem = null where problem is not null`,
  )
  const textOf = client.prepare<[number], string>(`select text from ${table} where n = ?`).pluck()
  const put = client.prepare<Put>(
    `update ${vectors} set model = @model, vector = @vector, problem = @problem where n = @n`,
  )
  const putAll = client.transaction((model: string, rows: readonly ReadText[]) => {
    let stored = 0
    for (const { n, text, vector, problem = null } of rows) {
      // A text that was changed meanwhile is read again. It is compared here and not in SQL, where stored bytes
      // that are not UTF-8 differ from the text that they were read as.
      if (textOf.get(n) === text) stored += put.run({ n, model, vector, problem }).changes
    }
    return stored
  }).immediate
  const numbers = client
    .prepare<{ scopes: string }, number>(`select r.n from ${table} r where ${inScopes}`)
    .pluck()
  const slice = client.prepare<[string, string], Vector>(
    `select n, vector from ${vectors} where n in (select value from json_each(?)) and model = ?`,
  )
  return {
    unembedded: (model, limit) => {
      const found = before.all(model, limit)
      return found.length < limit ? [...found, ...after.all(model, limit - found.length)] : found
    },
    embedded: (model) => embedded.get(model) ?? { rows: 0, done: 0 },
    refused: (model) => ({ count: countRefused.get(model) ?? 0, first: refused.all(model, mostRefused) }),
    retryRefused: () => {
      retry.run()
    },
    putVectors: (model, rows) => putAll(model, rows),
    numbers: (scopes) => numbers.all({ scopes: JSON.stringify(scopes) }),
    vectors: (model, rows) => slice.all(JSON.stringify(rows), model),
  }
}

interface Put {
  readonly n: number
  readonly model: string
  readonly vector: Uint8Array
  readonly problem: string | null
}
