'use client'
/** The files of a run: those given with its question and those it created, each downloaded by a click. */
import { size } from '#components/run/figures'
import { useRun } from '#components/run/run-context'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { Artifact } from '#lib/spec/artifact'
import { FileLink } from './file-link'
import styles from './file-list.module.css'
import { isPageFile, OpenPage } from './page-view'

const none: readonly Artifact[] = []

export function FileList() {
  // Both lists grow in place, so their lengths are what changes.
  useRun((run) => run.state?.artifacts.length ?? 0)
  const made = useRun((run) => run.state?.artifacts ?? none)
  const given = useRun((run) => run.state?.start.files ?? none)
  if (made.length + given.length === 0)
    return <p className={shared.empty}>No files. This run received none and created none.</p>
  return (
    <div className={styles.files} tabIndex={0} role="region" aria-label="Files">
      {made.length > 0 && <Part title="Created by the run" files={made} />}
      {given.length > 0 && <Part title="Attached to the question" files={given} />}
    </div>
  )
}

/** How many files there are, for the tab. */
export function useFileCount(): number {
  return useRun((run) => (run.state?.artifacts.length ?? 0) + (run.state?.start.files?.length ?? 0))
}

function Part({ title, files }: { title: string; files: readonly Artifact[] }) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <ul>
        {files.map((each) => (
          <li key={each.id} className={styles.file}>
            <Icon name={iconOf(each)} size={14} />
            <FileLink artifact={each} name={each.path ?? each.name} />
            <span>{each.mediaType}</span>
            <span className={styles.size}>{size(each.bytes)}</span>
            {isPageFile(each) && <OpenPage artifact={each} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function iconOf({ mediaType }: Pick<Artifact, 'mediaType'>): string {
  if (mediaType.startsWith('image/')) return 'image'
  return /csv|sheet|excel/.test(mediaType) ? 'table-2' : 'file-text'
}
