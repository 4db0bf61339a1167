'use client'
/** The buttons of the trace: find and filter, notes to the model, fold all and unfold all. */
import { useRun } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import type { RunState } from '#lib/spec/state'
import styles from './trace-table.module.css'
import type { TraceLook } from './use-trace-look'

export function TraceTools({ view, state }: { view: TraceLook; state: RunState | null }) {
  const steps = useRun((run) => run.state?.steps.length ?? 0)
  const areFolded = steps > 0 && view.look.folded.size > steps
  return (
    <span className={styles.tools}>
      <IconButton
        icon="funnel"
        label="Find and filter"
        size="s"
        pressed={view.isFinding}
        onClick={() => (view.isFinding ? view.endFinding() : view.find())}
      />
      <IconButton
        icon="sticky-note"
        label="Hide notes to the model"
        size="s"
        pressed={!view.filter.notes}
        onClick={view.toggleNotes}
      />
      <IconButton
        icon={areFolded ? 'unfold-vertical' : 'fold-vertical'}
        label={areFolded ? 'Unfold all steps' : 'Fold all steps'}
        size="s"
        disabled={steps === 0}
        onClick={() => {
          if (areFolded) view.unfoldAll()
          else if (state !== null) view.foldAll(state)
        }}
      />
    </span>
  )
}
