/** The protocol in which every answer is one JSON object that calls tools or ends with text. */
import { JsonMachine } from './json-decode'
import { jsonAnswer } from './json-encode'
import { jsonSection } from './json-prompt'
import { textProtocol } from './text-format'
import { describeInText } from './tool-list'

export const json = textProtocol({
  id: 'json',
  label: 'JSON answers',
  help: 'Tools are described in the instructions, and every answer is one JSON object. For models without function calls of their own.',
  isTagged: false,
  isJson: true,
  section: jsonSection,
  describe: describeInText,
  answer: jsonAnswer,
  machine: (out, { parameters, toName }) => new JsonMachine(out, (name) => parameters.has(toName(name))),
})
