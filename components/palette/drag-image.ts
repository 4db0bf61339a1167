/**
 * The image at the pointer while a part is dragged: a small card with its tile and name, instead of a piece
 * of the list.
 */
import type { DragEvent } from 'react'
import styles from './palette.module.css'

export function dragImage(event: DragEvent<HTMLElement>): void {
  const [tile, label] = event.currentTarget.children
  if (tile === undefined || label === undefined) return
  const ghost = document.createElement('div')
  ghost.className = styles.ghost ?? ''
  ghost.append(tile.cloneNode(true), label.cloneNode(true))
  document.body.append(ghost)
  event.dataTransfer.setDragImage(ghost, 20, 16)
  // By the next frame, the browser has captured the image.
  requestAnimationFrame(() => ghost.remove())
}
