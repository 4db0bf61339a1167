'use client'
/**
 * What calls ask a person, first in the inspector: those of the selected node, or all when none is selected.
 */
import { ComingCard } from '#components/approval/coming-card'
import { useGraph } from '#components/drawing/graph-context'
import { useRun, useRunActions } from '#components/run/run-context'
import { keyOfWaiting, sameWaiting, waitingCalls } from '#components/run/waiting'

export function ApprovalPanel() {
  const { decide, reply } = useRunActions()
  const chosen = useGraph((state) => state.selection.nodes[0])
  const path = useGraph((state) => (chosen === undefined ? null : (state.paths.get(chosen) ?? '')))
  const waiting = useRun(
    (run) =>
      waitingCalls(run).filter(
        ({ call, inside }) =>
          path === null ||
          path === 'agent' ||
          (inside?.call ?? call).node === path ||
          (inside === undefined && call.rulings.some((each) => each.node === path)),
      ),
    sameWaiting,
  )
  return waiting.map((each, index) => (
    <ComingCard key={keyOfWaiting(each)} waiting={each} hasKey={index === 0} decide={decide} reply={reply} />
  ))
}
