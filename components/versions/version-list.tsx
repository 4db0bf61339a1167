'use client'
/** The draft and every version below it, newest first: the date, the number of changes, and its mark. */
import { type ReactNode, useMemo } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { plural } from '#components/run/figures'
import { moment, wholeMoment } from '#components/run/when'
import { diffConfigs } from '#lib/graph/diff'
import type { VersionView } from '#lib/wire/agents'
import type { Side } from './compare'
import type { DraftVersion } from './use-versions'
import styles from './versions-dialog.module.css'

export interface VersionListProps {
  readonly versions: readonly VersionView[]
  readonly draft: DraftVersion
  readonly chosen: Side
  onChoose(side: Side): void
}

export function VersionList({ versions, draft, chosen, onChoose }: VersionListProps) {
  const catalog = useGraph((state) => state.catalog)
  const now = Date.now()
  const counts = useMemo(
    () =>
      versions.map(({ config }, index) => {
        const before = versions[index + 1]
        return before === undefined ? null : diffConfigs(before.config, config, catalog).length
      }),
    [versions, catalog],
  )
  return (
    <nav className={styles.list} aria-label="Versions">
      <Item isChosen={chosen === 'draft'} onChoose={() => onChoose('draft')} title="Draft" end="now">
        {draft.changes === null ? 'has errors' : changesText(draft.changes.length, draft.newest?.version)}
      </Item>
      {versions.map(({ version, createdAt, configHash }, index) => (
        <Item
          key={version}
          isChosen={chosen === version}
          onChoose={() => onChoose(version)}
          title={`v${version}`}
          end={moment(createdAt, now)}
          hint={`${wholeMoment(createdAt)}\nSHA-256 ${configHash}`}
        >
          {counts[index] == null ? 'the first' : changesText(counts[index], version - 1)}
          <code>{configHash.slice(0, 7)}</code>
        </Item>
      ))}
    </nav>
  )
}

function changesText(changes: number, since: number | undefined): string {
  if (changes === 0) return `same as v${since}`
  return `${plural(changes, 'change')} since v${since}`
}

interface ItemProps {
  readonly title: string
  readonly end: string
  readonly hint?: string
  readonly isChosen: boolean
  onChoose(): void
  readonly children: ReactNode
}

function Item({ title, end, hint, isChosen, onChoose, children }: ItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      aria-current={isChosen ? 'true' : undefined}
      title={hint}
      onClick={onChoose}
    >
      <span className={styles.first}>
        <b>{title}</b>
        <span>{end}</span>
      </span>
      <span className={styles.second}>{children}</span>
    </button>
  )
}
