'use client'
/** The current time, updated ten times a second while something is running, and not otherwise. */
import { useEffect, useState } from 'react'

export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
