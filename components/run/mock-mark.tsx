/** The signs of a run with mocked tools: a small icon for lists, and a line in words. */

import { Chip } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { lineOf } from '#lib/spec/line'
import type { MockedTool } from '#lib/spec/mock'
import type { RunState } from '#lib/spec/state'
import { plural } from './figures'
import styles from './fork-mark.module.css'

type Mocked = readonly MockedTool[] | undefined

export function MockMark({ mocked }: { mocked: Mocked }) {
  if (mocked === undefined || mocked.length === 0) return null
  const words = mockedWords(mocked)
  return (
    <span role="img" aria-label={words} title={words} className={styles.mark}>
      <Icon name="venetian-mask" size={12} />
    </span>
  )
}

export function MockChip({ mocked }: { mocked: Mocked }) {
  if (mocked === undefined || mocked.length === 0) return null
  return (
    <span title={mockedWords(mocked)}>
      <Chip tone="line" icon="venetian-mask">
        {plural(mocked.length, 'mock')}
      </Chip>
    </span>
  )
}

/** `prices.lookup (fixed), stock.count (echo)`. */
export function mockNames(mocked: readonly MockedTool[]): string {
  return mocked.map(({ tool, kind }) => `${lineOf(tool)} (${kind})`).join(', ')
}

/** `Mocked tools: prices.lookup (fixed), stock.count (echo)`. */
export function mockedWords(mocked: readonly MockedTool[]): string {
  return `Mocked ${mocked.length === 1 ? 'tool' : 'tools'}: ${mockNames(mocked)}`
}

/** The mocked tools that the run does not have, so that their mocks answer nothing; empty until it has begun. */
export function lostMocks({ mocks = [], tools }: Pick<RunState, 'mocks' | 'tools'>): string[] {
  if (tools === undefined) return []
  const known = new Set([...tools.offered, ...tools.withheld].map(({ name }) => name))
  return mocks.flatMap(({ tool }) => (known.has(tool) ? [] : [tool]))
}
