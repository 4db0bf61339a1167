/** The store of tools tried by hand, and of mocks, of each agent's draft. */

import { and, asc, count, desc, eq, lt, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { TrialStore, TryRow } from '#lib/spec/trial'
import { toolMocks, toolTries, trialThreads } from '../schema-trials'

export function trialStore(db: BetterSQLite3Database): TrialStore {
  const ofTool = (agentId: string, tool: string) =>
    and(eq(toolTries.agentId, agentId), eq(toolTries.tool, tool))
  return {
    mocks: (agentId) =>
      db.select().from(toolMocks).where(eq(toolMocks.agentId, agentId)).orderBy(asc(toolMocks.tool)).all(),
    putMock: (row) => {
      const { mock, on, updatedAt } = row
      db.insert(toolMocks)
        .values(row)
        .onConflictDoUpdate({
          target: [toolMocks.agentId, toolMocks.tool],
          set: { mock, on, updatedAt },
        })
        .run()
    },
    removeMock: (agentId, tool) =>
      db
        .delete(toolMocks)
        .where(and(eq(toolMocks.agentId, agentId), eq(toolMocks.tool, tool)))
        .run().changes === 1,
    tries: (agentId, tool) =>
      db
        .select()
        .from(toolTries)
        .where(ofTool(agentId, tool))
        .orderBy(desc(toolTries.n))
        .all()
        .map(({ n: _, redacted, ...row }): TryRow => ({ ...row, ...(redacted && { redacted }) })),
    addTry: (row, most) =>
      db.transaction(
        (tx) => {
          tx.insert(toolTries)
            .values({ ...row, redacted: row.redacted === true })
            .run()
          const oldest = tx
            .select({ n: toolTries.n })
            .from(toolTries)
            .where(ofTool(row.agentId, row.tool))
            .orderBy(desc(toolTries.n))
            .limit(1)
            .offset(most - 1)
            .get()
          if (oldest === undefined) return
          tx.delete(toolTries)
            .where(and(ofTool(row.agentId, row.tool), lt(toolTries.n, oldest.n)))
            .run()
        },
        { behavior: 'immediate' },
      ),
    counts: (agentId) =>
      new Map(
        db
          .select({ tool: toolTries.tool, tries: count() })
          .from(toolTries)
          .where(eq(toolTries.agentId, agentId))
          .groupBy(toolTries.tool)
          .all()
          .map(({ tool, tries }) => [tool, tries]),
      ),
    forget: (agentId, tool) => {
      db.delete(toolTries).where(ofTool(agentId, tool)).run()
    },
    threadOf: (agentId) =>
      db
        .select({ id: trialThreads.threadId })
        .from(trialThreads)
        .where(eq(trialThreads.agentId, agentId))
        .get()?.id,
    putThread: (agentId, threadId) => {
      db.insert(trialThreads)
        .values({ agentId, threadId })
        .onConflictDoUpdate({ target: trialThreads.agentId, set: { threadId } })
        .run()
    },
  }
}

/** Leaves the threads of tries out of a list. */
export const isNoTrial = sql`not exists (select 1 from trial_threads where thread_id = threads.id)`
