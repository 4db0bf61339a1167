'use client'
/** The context menu of a row, with what can be copied from it, and a message on whether copying worked. */
import { useGoTo } from '#components/commands/use-go-to'
import type { StepPlace } from '#components/data/client'
import { useFork } from '#components/run/fork-context'
import { useRun } from '#components/run/run-context'
import { ContextMenu } from '#components/ui/context-menu'
import { useCopy } from '#components/ui/copy-button'
import type { MenuItem } from '#components/ui/menu-list'
import { placeOf, type Row } from './row'
import { callJson, rowJson, stepCurl } from './row-copy'
import styles from './row-menu.module.css'
import { useTryAgain } from './use-try-again'

export interface RowMenuProps {
  /** The row and the point where the menu was opened; null while no menu is open. */
  readonly open: { readonly row: Row; readonly at: { readonly x: number; readonly y: number } } | null
  onClose(): void
}

export function RowMenu({ open, onClose }: RowMenuProps) {
  const [outcome, copy] = useCopy()
  const runId = useRun((run) => run.runId)
  const tryAgain = useTryAgain()
  const fork = useFork()
  const goTo = useGoTo()
  return (
    <>
      {open !== null && (
        <ContextMenu
          at={open.at}
          items={[
            ...forkItems(open.row, fork),
            ...tryItems(tryAgain(open.row), goTo),
            ...itemsOf(open.row, runId, copy),
          ]}
          onClose={onClose}
        />
      )}
      <p role="status" className={styles.said} data-good={outcome?.isGood}>
        {outcome?.word}
      </p>
    </>
  )
}

/** The forks that the run offers at this row. */
function forkItems(row: Row, fork: ReturnType<typeof useFork>): MenuItem[] {
  const { call, edit } = row
  const place = placeOf(row)
  if (fork === null || place === null) return []
  const icon = 'git-fork'
  const whole: MenuItem = { label: `Fork from ${stepName(place)}…`, icon, run: () => fork(place) }
  if (edit === 'summary')
    return [whole, { label: 'Fork with another summary…', icon, run: () => fork({ ...place, edit }) }]
  if (call === undefined || call.status === 'streaming') return [whole]
  const callId = call.id
  return [
    whole,
    { label: 'Fork with other arguments…', icon, run: () => fork({ ...place, callId, edit: 'args' }) },
    ...(call.result === undefined
      ? []
      : [
          {
            label: 'Fork with another result…',
            icon,
            run: () => fork({ ...place, callId, edit: 'result' as const }),
          },
        ]),
  ]
}

function stepName({ step, parent }: StepPlace): string {
  return parent === undefined ? `step ${step}` : `step ${step} inside the call`
}

/** The tool of the call on its own page, with these arguments. */
function tryItems(href: string | null, goTo: (href: string) => void): MenuItem[] {
  if (href === null) return []
  return [{ label: 'Try again with these arguments', icon: 'play', run: () => goTo(href) }]
}

function itemsOf(
  row: Row,
  runId: string | null,
  copy: (text: () => string | Promise<string>) => Promise<void>,
): MenuItem[] {
  const { call } = row
  const place = placeOf(row)
  return [
    { label: 'Copy row as JSON', icon: 'copy', run: () => void copy(() => rowJson(row)) },
    ...(call === undefined
      ? []
      : [{ label: 'Copy call as JSON', icon: 'braces', run: () => void copy(() => callJson(call)) }]),
    ...(runId === null || place === null
      ? []
      : [
          {
            label: `Copy request of ${stepName(place)} as curl`,
            icon: 'code',
            run: () => void copy(() => stepCurl(runId, place)),
          },
        ]),
  ]
}
