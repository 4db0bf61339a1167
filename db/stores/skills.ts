/** The store of skills and their versions. */

import { and, asc, desc, eq, inArray, ne } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { SkillRow, SkillStore } from '#lib/spec/skill-store'
import { skillFiles, skills, skillVersions } from '../schema-skills'

export function skillStore(db: BetterSQLite3Database): SkillStore {
  const rows = () =>
    db
      .select({ facts: skillVersions.facts, createdAt: skills.createdAt, updatedAt: skills.updatedAt })
      .from(skills)
      .innerJoin(skillVersions, eq(skillVersions.hash, skills.hash))
  return {
    list: (): SkillRow[] => rows().orderBy(asc(skills.name)).all(),
    get: (name) => rows().where(eq(skills.name, name)).get(),
    version: (name, hash) =>
      db
        .select({ facts: skillVersions.facts })
        .from(skillVersions)
        .where(and(eq(skillVersions.hash, hash), eq(skillVersions.name, name)))
        .get()?.facts,
    file: (hash, path) =>
      db
        .select({ content: skillFiles.content })
        .from(skillFiles)
        .where(and(eq(skillFiles.hash, hash), eq(skillFiles.path, path)))
        .get()?.content,
    put: ({ facts, files }, { now, keep }) => {
      const { name, hash } = facts
      db.transaction(
        (tx) => {
          tx.insert(skills)
            .values({ name, hash, createdAt: now, updatedAt: now })
            .onConflictDoUpdate({ target: skills.name, set: { hash, updatedAt: now } })
            .run()
          const version = { hash, name, facts, importedAt: now }
          tx.insert(skillVersions)
            .values(version)
            .onConflictDoUpdate({ target: skillVersions.hash, set: { importedAt: now } })
            .run()
          for (const [path, content] of files)
            tx.insert(skillFiles)
              .values({ hash, path, content: Buffer.from(content) })
              .onConflictDoNothing()
              .run()
          const old = tx
            .select({ hash: skillVersions.hash })
            .from(skillVersions)
            .where(and(eq(skillVersions.name, name), ne(skillVersions.hash, hash)))
            .orderBy(desc(skillVersions.importedAt))
            .all()
            .slice(keep)
          if (old.length === 0) return
          tx.delete(skillVersions)
            .where(
              inArray(
                skillVersions.hash,
                old.map((each) => each.hash),
              ),
            )
            .run()
        },
        { behavior: 'immediate' },
      )
    },
    remove: (name) => db.delete(skills).where(eq(skills.name, name)).run().changes === 1,
  }
}
