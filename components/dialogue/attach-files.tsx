'use client'
/** The ways to attach files to a question: choose, drop or paste. */
import type { ClipboardEvent, DragEvent } from 'react'
import { IconButton } from '#components/ui/button'

type Take = (files: readonly File[]) => void

export function AttachButton({ onFiles }: { onFiles: Take }) {
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.onchange = () => onFiles([...(input.files ?? [])])
    input.click()
  }
  return (
    <IconButton
      icon="paperclip"
      size="s"
      label="Attach files"
      title="Attach files, or drop them here"
      onClick={choose}
    />
  )
}

/**
 * The drag and drop handlers of a drop zone; `setOver` is called with whether files are being dragged over
 * it.
 */
export function dropOf(take: Take, setOver: (isOver: boolean) => void) {
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      const { currentTarget, relatedTarget } = event
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      take([...event.dataTransfer.files])
    },
  }
}

/** Handles pasted files; pasted text is left to its field. */
export function pasteOf(take: Take): (event: ClipboardEvent) => void {
  return (event) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
}
