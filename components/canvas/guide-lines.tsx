'use client'
/** The lines that a dragged card is aligned with, each a hairline at any zoom. */
import { useStore, ViewportPortal } from '@xyflow/react'
import styles from './canvas.module.css'
import { useCanvasUi } from './canvas-ui-context'

export function GuideLines() {
  const guides = useCanvasUi((state) => state.guides)
  const zoom = useStore((state) => state.transform[2])
  if (guides.length === 0) return null
  const thin = 1 / zoom
  return (
    <ViewportPortal>
      {guides.map(({ axis, at, from, to }) => {
        const [left, top] = axis === 'x' ? [at, from] : [from, at]
        const [width, height] = axis === 'x' ? [thin, to - from] : [to - from, thin]
        return (
          <span
            key={axis}
            data-guide={axis}
            className={styles.guide}
            style={{ transform: `translate(${left}px, ${top}px)`, width, height }}
          />
        )
      })}
    </ViewportPortal>
  )
}
