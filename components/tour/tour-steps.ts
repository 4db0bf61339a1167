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
    text: 'Each card is one part: the model, a tool, or a policy that limits what the agent may do. The agent has exactly the parts that are connected to it.',
  },
  {
    // In a narrow window the run box is hidden behind its tab; the empty trace also lists the questions.
    at: ['[data-tour="run"]', '[data-tour="trace"]'],
    side: 'left',
    title: 'Ask and watch',
    text: 'Choose one of the sample questions, or write your own. Cards light up as they work, and every step appears in the trace.',
  },
  {
    at: ['[data-tour="publish"]'],
    side: 'below',
    title: 'Take it with you',
    text: 'Export saves the agent as one JSON file, which also runs from the command line. Publish saves a version that later edits do not change.',
  },
]
