'use client'
/** The ways that files come to a question: chosen, dropped, pasted. */
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

/** What the place where files may be dropped listens to; `setOver` is told while they are held over it. */
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

/** Pasted files are taken; pasted text goes where it was meant to go. */
export function pasteOf(take: Take): (event: ClipboardEvent) => void {
  return (event) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0) return
    event.preventDefault()
    take(files)
  }
}
