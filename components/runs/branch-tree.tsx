'use client'
/** Runs that were forked from one another, as a tree: each links to its page, and the open one is marked. */
import type { CSSProperties } from 'react'
import { pointWords, shortId } from '#components/run/fork-point'
import { RunMark } from '#components/run/run-mark'
import { moment, wholeMoment } from '#components/run/when'
import { Icon } from '#components/ui/icon'
import { NearLink } from '#components/ui/near-link'
import type { Branch } from '#lib/wire/runs'
import styles from './branch-tree.module.css'
import { inTree } from './branches'

export function BranchTree({
  branches,
  isTruncated,
  currentId,
}: {
  branches: readonly Branch[]
  isTruncated: boolean
  currentId: string
}) {
  const now = Date.now()
  return (
    <div className={styles.branches} tabIndex={0} role="region" aria-label="Branches">
      <ul>
        {inTree(branches).map(({ branch, depth, isOrphan }) => (
          <li
            key={branch.id}
            style={{ '--depth': depth } as CSSProperties /* cast: React's type has no custom properties */}
          >
            <NearLink
              href={`/runs/${branch.id}`}
              className={styles.branch}
              aria-current={branch.id === currentId ? 'page' : undefined}
              title={
                branch.answer === null ? branch.input : `${branch.input}\n\n${branch.answer.slice(0, 500)}`
              }
            >
              <RunMark status={branch.status} />
              {branch.forkedFrom === null ? (
                <span className={styles.point}>First run</span>
              ) : (
                <span className={styles.point}>
                  <Icon name="git-fork" size={12} />
                  {pointWords(branch.forkedFrom)}
                  {isOrphan && ', of a run that was removed'}
                </span>
              )}
              <span className={styles.words}>{branch.answer ?? branch.input}</span>
              <span className={styles.id}>{shortId(branch.id)}</span>
              <time className={styles.time} title={wholeMoment(branch.createdAt)}>
                {moment(branch.createdAt, now)}
              </time>
            </NearLink>
          </li>
        ))}
      </ul>
      {isTruncated && <p className={styles.more}>Only the first {branches.length} are shown.</p>}
    </div>
  )
}
