/** The three things a first visit is told, each at the region it is about. */
import type { MarkSide } from './place'

export interface TourStep {
  /** What it stands at: the first of these that is in view. */
  readonly at: readonly string[]
  readonly side: MarkSide
  readonly title: string
  readonly text: string
}

export const tourSteps: readonly TourStep[] = [
  {
    at: ['[data-tour="canvas"]'],
    side: 'right',
    title: 'The canvas is the agent',
    text: 'Each card is one part: its model, its tools, the policies that hold it. What is wired to the agent is what it has, and nothing else.',
  },
  {
    // In a narrow window the run box stands behind its tab; the empty trace has the questions as well.
    at: ['[data-tour="run"]', '[data-tour="trace"]'],
    side: 'left',
    title: 'Ask, and watch',
    text: 'Take one of the questions, or write your own. Cards light up as they work, and each step stands in the trace.',
  },
  {
    at: ['[data-tour="publish"]'],
    side: 'below',
    title: 'Take it with you',
    text: 'Export gives one JSON file that also runs from the command line. Publish keeps a version that later edits leave alone.',
  },
]
