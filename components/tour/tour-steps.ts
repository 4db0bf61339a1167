/** The three messages of a first visit, each at the region it describes. */
import type { MarkSide } from './place'

export interface TourStep {
  /** Selectors of its target: the first one in view is used. */
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
    // In a narrow window the run box is hidden behind its tab; the empty trace also lists the questions.
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
