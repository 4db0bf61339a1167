'use client'
/**
 * Runs the test of a model format by format, so that each result is shown as it comes; leaving the screen
 * ends the test.
 */
import { useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import {
  type FormatTest,
  type ModelTest,
  nextFormat,
  recommend,
  type TestFormat,
  type TestModel,
} from '#lib/wire/model-test'

type Told = Pick<ModelTest, 'recommended' | 'reason' | 'usage' | 'costUsd'>

interface Shown {
  readonly results: readonly FormatTest[]
  /** The format being tested. */
  readonly running: TestFormat | null
  /** The outcome; null until all formats are tested. */
  readonly told: Told | null
  readonly error: unknown
}

export interface ModelTesting extends Shown {
  readonly isRunning: boolean
  start(body: TestModel): void
  stop(): void
  /** Clears the results, since another model is selected. */
  forget(): void
}

const nothing: Shown = { results: [], running: null, told: null, error: null }

/** @param name of the provider, or of the added endpoint */
export function useModelTest(name: string): ModelTesting {
  const [shown, setShown] = useState(nothing)
  const asking = useRef<AbortController | null>(null)
  useEffect(() => () => asking.current?.abort(), [])
  const run = async (body: TestModel, { signal }: AbortController) => {
    const results: FormatTest[] = []
    const usage = { input: 0, output: 0 }
    let costUsd: number | null = 0
    for (let format = nextFormat(results); format !== undefined; format = nextFormat(results)) {
      setShown({ ...nothing, results: [...results], running: format })
      const test = await api.providers.testModel(name, { ...body, formats: [format] }, signal)
      results.push(...test.results)
      usage.input += test.usage.input
      usage.output += test.usage.output
      costUsd = costUsd === null || test.costUsd === null ? null : costUsd + test.costUsd
      // Without a result the same format would be requested forever.
      if (test.results.length === 0) break
    }
    setShown({ ...nothing, results, told: { ...recommend(results), usage, costUsd } })
  }
  return {
    ...shown,
    isRunning: shown.running !== null,
    start: (body) => {
      asking.current?.abort()
      const controller = new AbortController()
      asking.current = controller
      run(body, controller).catch((error: unknown) => {
        if (!controller.signal.aborted) setShown((before) => ({ ...before, running: null, error }))
      })
    },
    stop: () => {
      asking.current?.abort()
      setShown((before) => ({ ...before, running: null }))
    },
    forget: () => {
      asking.current?.abort()
      setShown(nothing)
    },
  }
}
