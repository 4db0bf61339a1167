'use client'
/** How long a person still has to decide or to reply. */
import { useEffect, useState } from 'react'
import styles from './ask-card.module.css'

/** Counts down in seconds. A screen reader reads the time only on request, not each second. */
export function TimeLeft({ until }: { until: number | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until === null) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [until])
  if (until === null) return null
  return (
    <span className={styles.left} role="timer">
      {clock(until - now)} left
    </span>
  )
}

/** `14:58`, `1:02:03`; never below zero. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor((seconds % 3_600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`
}
