/** The word, tone and icon of each status of a run, used on every screen. */
import type { Tone } from '#components/ui/bits'
import type { RunStatus } from '#lib/spec/event'

export interface StatusWord {
  readonly word: string
  readonly tone: Tone
  readonly icon: string
}

export const statusWords: Record<RunStatus, StatusWord> = {
  queued: { word: 'Queued', tone: 'line', icon: 'hourglass' },
  running: { word: 'Running', tone: 'work', icon: 'loader-circle' },
  waiting: { word: 'Waiting for you', tone: 'wait', icon: 'hand' },
  completed: { word: 'Completed', tone: 'ok', icon: 'check' },
  max_steps: { word: 'Step limit', tone: 'line', icon: 'footprints' },
  budget: { word: 'Budget spent', tone: 'line', icon: 'gauge' },
  cancelled: { word: 'Cancelled', tone: 'line', icon: 'square' },
  failed: { word: 'Failed', tone: 'error', icon: 'circle-x' },
  interrupted: { word: 'Interrupted', tone: 'error', icon: 'circle-alert' },
}
