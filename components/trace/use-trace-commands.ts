'use client'
/** What a person can do in the trace by shortcut or by name. */
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import type { RunState } from '#lib/spec/state'
import type { Row } from './row'
import { stepBeside } from './trace-keys'
import { rowAt, type TraceList } from './trace-list'
import type { TraceLook } from './use-trace-look'

export interface TraceCommands {
  /** The current rows. */
  readonly list: RefObject<TraceList>
  /** The index of the active row; -1 when none is. */
  readonly place: number
  readonly view: TraceLook
  readonly state: RunState | null
  go(index: number): void
  readonly choose: ((row: Row) => void) | undefined
}

export function useTraceCommands(now: TraceCommands): void {
  const latest = useRef(now)
  useEffect(() => {
    latest.current = now
  })
  useCommands(useMemo(() => commandsOf(latest), []))
}

function commandsOf(latest: RefObject<TraceCommands>): Command[] {
  const step = (by: 1 | -1) => () => {
    const { list, place, go, choose } = latest.current
    const from = place < 0 ? (by > 0 ? -1 : list.current.count) : place
    const index = stepBeside(list.current, from, by)
    const row = index === undefined ? undefined : rowAt(list.current, index)?.row
    if (index === undefined || row === undefined) return
    go(index)
    choose?.(row)
  }
  const hasRun = () => latest.current.state !== null
  return [
    {
      id: 'trace.find',
      label: 'Find and filter in the trace',
      group: 'Run',
      icon: 'search',
      keys: ['Mod+Shift+F'],
      whileTyping: true,
      canRun: hasRun,
      run: () => latest.current.view.find(),
    },
    {
      id: 'trace.notes',
      label: 'Show or hide notes to the model in the trace',
      group: 'Run',
      icon: 'sticky-note',
      canRun: hasRun,
      run: () => latest.current.view.toggleNotes(),
    },
    {
      id: 'trace.step-before',
      label: 'Previous step',
      group: 'Run',
      icon: 'chevron-up',
      keys: ['['],
      canRun: hasRun,
      run: step(-1),
    },
    {
      id: 'trace.step-next',
      label: 'Next step',
      group: 'Run',
      icon: 'chevron-down',
      keys: [']'],
      canRun: hasRun,
      run: step(1),
    },
    {
      id: 'trace.fold-all',
      label: 'Fold all steps',
      group: 'Run',
      icon: 'fold-vertical',
      canRun: hasRun,
      run: () => {
        const { state, view } = latest.current
        if (state !== null) view.foldAll(state)
      },
    },
    {
      id: 'trace.unfold-all',
      label: 'Unfold all steps',
      group: 'Run',
      icon: 'unfold-vertical',
      canRun: hasRun,
      run: () => latest.current.view.unfoldAll(),
    },
  ]
}
