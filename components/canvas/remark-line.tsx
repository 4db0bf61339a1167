'use client'
/** One line at the pointer: why a drop was refused, or what else an edit changed. It disappears by itself. */
import { useEffect } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import styles from './remark-line.module.css'

const stays = 4_000

export function RemarkLine() {
  const remark = useGraph((state) => state.remark)
  const say = useGraph((state) => state.say)
  useEffect(() => {
    if (remark === null) return
    const timer = setTimeout(() => say(null), stays)
    return () => clearTimeout(timer)
  }, [remark, say])
  return (
    <div role="status" aria-live="polite">
      {remark !== null && (
        <p
          className={styles.line}
          style={{ left: Math.min(remark.x + 12, window.innerWidth - 340), top: remark.y + 12 }}
        >
          {remark.text}
        </p>
      )}
    </div>
  )
}
