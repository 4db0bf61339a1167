/** Measures searches over passages that share most of their words, in a database made by the stores themselves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openClient, storesOver } from '#db/open'
import { searchPassages } from '#lib/server/recall/search'

const words =
  'customer return product voucher card delivery refund parcel carrier handbook support desk price order month week broken photograph team date'.split(
    ' ',
  )

/** The same words in every run, each passage with some of its own. */
function passage(n: number): { place: string; text: string } {
  const of = (at: number) => words[(n * 7_919 + at * at * 31) % words.length] ?? ''
  const text = Array.from({ length: 160 }, (_, at) =>
    at % 20 === 0 ? `item${(n * 13 + at) % 3_000}` : of(at),
  )
  return { place: `Chapter ${n % 40} › Section ${n % 400}`, text: text.join(' ') }
}

const questions = [
  'May a customer return a broken product after 30 days, and who pays for the parcel?',
  'item1200',
  'refund to the card within five working days',
  'What does the handbook say about photographs of broken products in chapter 12?',
]

export async function bench({ passages, rounds }: { passages: number; rounds: number }): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'loopwright-bench-'))
  const client = openClient(path.join(folder, 'loopwright.db'))
  client.pragma('synchronous = OFF')
  const stores = storesOver(client)
  try {
    const begun = performance.now()
    stores.knowledge.insert({ id: 'col_1', name: 'handbook', description: '', createdAt: 1 })
    const file = { id: 'file_1', collectionId: 'col_1', name: 'a.md', kind: 'markdown' as const }
    stores.knowledge.insertFile({ ...file, bytes: 1, chars: 1, passages: null, createdAt: 1 })
    for (let from = 0; from < passages; from += 250)
      stores.knowledge.addPassages(
        file,
        Array.from({ length: Math.min(250, passages - from) }, (_, at) => passage(from + at)),
      )
    stores.knowledge.finishFile('file_1', passages)
    print(`${passages} passages stored`, performance.now() - begun)
    const asked = { ids: ['col_1'], limit: 5 }
    const signal = new AbortController().signal
    for (const query of questions)
      print(query, await median(() => searchPassages(stores, { ...asked, query }, signal), rounds))
    const vector = new Float32Array(768).fill(1 / Math.sqrt(768))
    const bytes = new Uint8Array(vector.buffer)
    const rows = stores.knowledge.unembedded('m', passages)
    stores.knowledge.putVectors(
      'm',
      rows.map((row) => ({ ...row, vector: bytes })),
    )
    const embeddings = { question: async () => ({ model: 'm', vector }) }
    const both = { ...stores, embeddings }
    print(
      'by words and by meaning, 768 numbers each',
      await median(() => searchPassages(both, { ...asked, query: questions[0] ?? '' }, signal), rounds),
    )
  } finally {
    stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function median(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < rounds; n++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

function print(what: string, ms: number): void {
  console.log(`${ms.toFixed(1).padStart(8)} ms  ${what}`)
}
