/** The protocol for calls as fenced JSON between the text of an answer. */
import { FenceMachine } from './fence-decode'
import { describeInFence, fenceSection } from './fence-prompt'
import { encodeFencedAnswer } from './json-encode'
import { textProtocol } from './text-format'

export const jsonFence = textProtocol({
  id: 'json_fence',
  label: 'JSON in fences',
  help: 'Tools are described in the instructions, and the model writes each call as a fenced JSON block between its words.',
  isTagged: false,
  section: fenceSection,
  describe: describeInFence,
  answer: (parts) => ({ text: encodeFencedAnswer(parts), holdsReasoning: false }),
  machine: (out) => new FenceMachine(out),
})
