'use client'
/** Counts the first frames of a component, so that the parts of a large page are rendered one after another. */
import { startTransition, useEffect, useState } from 'react'

/** 0 in the first render, and one more in each frame until it is `most`. */
export function useFrames(most: number): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count >= most) return
    // In a transition, so that the render itself is done in short tasks.
    const frame = requestAnimationFrame(() => startTransition(() => setCount(count + 1)))
    return () => cancelAnimationFrame(frame)
  }, [count, most])
  return count
}
