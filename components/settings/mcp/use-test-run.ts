'use client'
/** A test that takes a while: its seconds, and a way to stop it. */
import type { UseMutationResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { McpServerTest } from '#lib/wire/mcp-servers'

export interface TestRun {
  readonly isRunning: boolean
  readonly seconds: number
  readonly error: unknown
  start(): void
  stop(): void
}

export function useTestRun(test: UseMutationResult<McpServerTest, Error, AbortSignal>): TestRun {
  const { isPending, error, mutate } = test
  const [seconds, setSeconds] = useState(0)
  const stopper = useRef<AbortController>(null)
  useEffect(() => {
    if (!isPending) return
    const timer = setInterval(() => setSeconds((known) => known + 1), 1_000)
    return () => clearInterval(timer)
  }, [isPending])
  useEffect(() => () => stopper.current?.abort(), [])
  return {
    isRunning: isPending,
    seconds,
    error: stopper.current?.signal.aborted ? null : error,
    start: () => {
      stopper.current = new AbortController()
      setSeconds(0)
      mutate(stopper.current.signal)
    },
    stop: () => stopper.current?.abort(),
  }
}
