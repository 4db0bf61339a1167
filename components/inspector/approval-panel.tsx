'use client'
/**
 * The calls that wait for a person, first in the inspector: those of the selected node, or all when none is
 * selected.
 */
import { AskCard } from '#components/approval/ask-card'
import { useGraph } from '#components/drawing/graph-context'
import { useRun, useRunActions } from '#components/run/run-context'
import { sameWaiting, waitingCalls } from '#components/run/waiting'

export function ApprovalPanel() {
  const { decide } = useRunActions()
  const chosen = useGraph((state) => state.selection.nodes[0])
  const path = useGraph((state) => (chosen === undefined ? null : (state.paths.get(chosen) ?? '')))
  const waiting = useRun(
    (run) =>
      waitingCalls(run).filter(
        ({ call }) =>
          path === null ||
          path === 'agent' ||
          call.node === path ||
          call.rulings.some((each) => each.node === path),
      ),
    sameWaiting,
  )
  return waiting.map((each, index) => (
    <AskCard key={`${each.call.id} ${each.askedAt}`} waiting={each} hasKey={index === 0} decide={decide} />
  ))
}
