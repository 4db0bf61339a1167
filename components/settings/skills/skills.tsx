'use client'
/** The skills of this server: importing, looking at, replacing, saving and removing them. */
import { useState } from 'react'
import { useSkills } from '#components/data/skills'
import { Skeleton } from '#components/ui/bits'
import { ErrorNote } from '#components/ui/notice'
import type { ImportedSkill } from '#lib/wire/skills'
import styles from '../settings.module.css'
import { ImportSkill } from './import-skill'
import { SkillRow } from './skill-row'
import { importWords } from './skill-words'

export function Skills() {
  const skills = useSkills()
  const items = skills.data?.items ?? []
  const [imported, setImported] = useState<ImportedSkill>()
  return (
    <>
      {skills.isPending && <Skeleton height={36} />}
      {skills.isError && <ErrorNote error={skills.error} onRetry={() => void skills.refetch()} />}
      {items.length > 0 && (
        <ul className={styles.list} aria-label="Skills">
          {items.map((each) => (
            <SkillRow key={each.name} skill={each} />
          ))}
        </ul>
      )}
      {imported !== undefined && (
        <p className={styles.quiet} role="status">
          {importWords(imported)}
        </p>
      )}
      {skills.isSuccess && (
        <ImportSkill
          isFirst={items.length === 0}
          onBegin={() => setImported(undefined)}
          onImported={setImported}
        />
      )}
    </>
  )
}
