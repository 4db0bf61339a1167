'use client'
/** Handles files dropped anywhere on the window while the page that accepts them is mounted. */
import { useEffect, useState } from 'react'
import { useLatest } from '#components/ui/use-latest'

/**
 * Returns whether files are being dragged over the window. `take` is called once per drop, with all files.
 */
export function useFileDrop(take: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useLatest(take)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      // Between two elements, the pointer is still inside the window.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      setOver(false)
      if (!carriesFiles(event)) return
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragenter', over)
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', over)
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

function carriesFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}
