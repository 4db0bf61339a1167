/**
 * A process for the kill test: it writes events of three runs forever and prints those that the hub received.
 */
import { writeSync } from 'node:fs'
import { openStores } from '#db/open'
import { delta, numbered, queued, runRow, threadRow } from '#db/rows.fixture'
import { createJournal } from './journal'

const stores = openStores(process.argv[2] ?? '')
const journal = createJournal({
  runs: stores.runs,
  publish: (runId, frames) => writeSync(1, frames.map(({ seq }) => `${runId}:${seq}\n`).join('')),
  lost: (runId, reason) => writeSync(1, `lost ${runId} ${reason}\n`),
  report: (error) => writeSync(1, `fault ${error}\n`),
})

const next = new Map<string, number>()
for (const id of ['run_a', 'run_b', 'run_c']) {
  if (stores.runs.get(id) === undefined)
    stores.runs.insert(runRow({ id, threadId: id }), queued(id), threadRow({ id }))
  next.set(id, (stores.runs.get(id)?.seq ?? 0) + 1)
}

function write(): void {
  for (const [id, seq] of next) {
    const count = Math.floor(Math.random() * 4)
    for (let at = seq; at < seq + count; at++)
      journal.append(id, numbered(at, delta('x'.repeat(Math.random() * 300))))
    next.set(id, seq + count)
  }
  setImmediate(write)
}
write()
