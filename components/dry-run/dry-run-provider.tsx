'use client'
/** Provides the dry-run dialog. The last call is still there when the dialog opens again. */
import dynamic from 'next/dynamic'
import { type ReactNode, useCallback, useState } from 'react'
import { type DryRunCall, DryRunContext } from '#components/run/dry-run-context'

// Loaded when it is first opened.
const DryRunDialog = dynamic(() => import('./dry-run-dialog').then((each) => each.DryRunDialog), {
  ssr: false,
})

const nothing: DryRunCall = { tool: '', text: '{}' }

export function DryRunProvider({
  agentId,
  onShow,
  children,
}: {
  agentId: string
  /** Shows a node of the drawing. */
  onShow(node: string): void
  children: ReactNode
}) {
  const [call, setCall] = useState(nothing)
  const [isOpen, setOpen] = useState(false)
  const open = useCallback((given: Partial<DryRunCall> = {}) => {
    setCall((last) => {
      const tool = given.tool ?? last.tool
      // A tool of another agent is named with its way; without a tool the last call is checked again.
      if (given.tool === undefined) return { ...last, text: given.text ?? last.text }
      const isSame = tool === last.tool && last.inside === undefined && given.inside === undefined
      return { tool, text: given.text ?? (isSame ? last.text : nothing.text), inside: given.inside }
    })
    setOpen(true)
  }, [])
  const close = () => setOpen(false)
  const show = (node: string) => {
    setOpen(false)
    onShow(node)
  }
  return (
    <DryRunContext value={open}>
      {children}
      {isOpen && (
        <DryRunDialog agentId={agentId} call={call} onCall={setCall} onShow={show} onClose={close} />
      )}
    </DryRunContext>
  )
}
