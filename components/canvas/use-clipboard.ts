'use client'
/**
 * Handles the browser's copy, cut and paste events, except where a person is writing or has selected text.
 */
import { useReactFlow } from '@xyflow/react'
import { type RefObject, useCallback, useEffect } from 'react'
import { isTyping } from '#components/commands/typing'
import { useGraphStore } from '#components/drawing/graph-context'
import { copySelection, cutSelection, pasteText } from './clipboard'
import { pointInView } from './point-in-view'

export function useClipboard(canvas: RefObject<HTMLElement | null>): { pasteFrom(text: string): void } {
  const store = useGraphStore()
  const flow = useReactFlow()
  const pasteFrom = useCallback(
    (text: string) => {
      const at = pointInView(canvas.current, store.getState().pointerAt())
      pasteText(store, text, flow.screenToFlowPosition(at))
    },
    [store, flow, canvas],
  )
  useEffect(() => {
    const take = (text: string | undefined, event: ClipboardEvent) => {
      if (text === undefined || event.clipboardData === null) return
      event.clipboardData.setData('text/plain', text)
      event.preventDefault()
    }
    const isOurs = (event: ClipboardEvent) =>
      !event.defaultPrevented && !isTyping(event.target) && !isTyping(document.activeElement)
    const hasMarked = () => (window.getSelection()?.toString() ?? '') !== ''
    const copy = (event: ClipboardEvent) => {
      if (isOurs(event) && !hasMarked()) take(copySelection(store), event)
    }
    const cut = (event: ClipboardEvent) => {
      if (isOurs(event) && !hasMarked()) take(cutSelection(store), event)
    }
    const paste = (event: ClipboardEvent) => {
      if (!isOurs(event) || event.clipboardData === null || event.clipboardData.files.length > 0) return
      event.preventDefault()
      pasteFrom(event.clipboardData.getData('text/plain'))
    }
    document.addEventListener('copy', copy)
    document.addEventListener('cut', cut)
    document.addEventListener('paste', paste)
    return () => {
      document.removeEventListener('copy', copy)
      document.removeEventListener('cut', cut)
      document.removeEventListener('paste', paste)
    }
  }, [store, pasteFrom])
  return { pasteFrom }
}
