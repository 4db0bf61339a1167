'use client'
/** Opens the dry run of a call from wherever a call or a tool is shown; what was asked last stands there when it opens again. */
import dynamic from 'next/dynamic'
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

/** A call as it is put to the policies. */
export interface AskedCall {
  /** Empty while none is chosen. */
  readonly tool: string
  /** The arguments as a model would write them. */
  readonly text: string
}

// Fetched when it is first opened.
const DryRunDialog = dynamic(() => import('./dry-run-dialog').then((each) => each.DryRunDialog), {
  ssr: false,
})

const DryRunContext = createContext<((call?: Partial<AskedCall>) => void) | null>(null)

/** Null where no agent is drawn whose policies could be asked. */
export function useDryRun() {
  return useContext(DryRunContext)
}

const nothing: AskedCall = { tool: '', text: '{}' }

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
  const open = useCallback((given: Partial<AskedCall> = {}) => {
    setCall((last) => {
      const tool = given.tool ?? last.tool
      return { tool, text: given.text ?? (tool === last.tool ? last.text : nothing.text) }
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
