'use client'
/** The files of a skill: a list on the left, the text of the chosen one on the right. */
import { useState } from 'react'
import { useSkill, useSkillFile } from '#components/data/skills'
import { Skeleton } from '#components/ui/bits'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import { skillFile } from '#lib/spec/skill-folder'
import { visible } from '#lib/spec/visible'
import { sizeInWords } from './skill-words'
import styles from './skills.module.css'

export function SkillFiles({ name }: { readonly name: string }) {
  const skill = useSkill(name)
  const [chosen, setChosen] = useState<string>(skillFile)
  if (skill.isPending) return <Skeleton height={120} />
  if (skill.isError) return <ErrorNote error={skill.error} onRetry={() => void skill.refetch()} />
  const { list } = skill.data
  // A new version may lack the file that was chosen.
  const shown = list.some(({ path }) => path === chosen) ? chosen : skillFile
  return (
    <div className={styles.files}>
      <ul className={styles.paths} aria-label={`Files of ${name}`}>
        {list.map(({ path, bytes }) => (
          <li key={path}>
            <button type="button" aria-pressed={path === shown} onClick={() => setChosen(path)}>
              <span>{visible(path)}</span>
              <small>{sizeInWords(bytes)}</small>
            </button>
          </li>
        ))}
      </ul>
      <FileText name={name} hash={skill.data.skill.hash} path={shown} />
    </div>
  )
}

/** Characters that are rendered before the person asks for more. */
const firstChars = 20_000

interface FileProps {
  readonly name: string
  readonly hash: string
  readonly path: string
}

function FileText({ name, hash, path }: FileProps) {
  const file = useSkillFile(name, hash, path)
  if (file.isPending) return <Skeleton height={120} />
  if (file.isError) return <ErrorNote error={file.error} onRetry={() => void file.refetch()} />
  const { text, isCut } = file.data
  if (text === null) return <p className={styles.quiet}>This file is not text.</p>
  if (text === '') return <p className={styles.quiet}>This file is empty.</p>
  return (
    <section className={styles.text} aria-label={`Text of ${path}`} tabIndex={0}>
      <pre>
        <LongText text={visible(text)} first={firstChars} />
      </pre>
      {isCut && <p className={styles.quiet}>Only the beginning is shown. The ZIP file has all of it.</p>}
    </section>
  )
}
