/** The protocol for calls as XML in the text of the answer: `<function_calls>`, `<invoke>`, `<parameter>`. */
import type { CallPart, Part } from '#lib/spec/message'
import { textProtocol } from './text-format'
import { describeInText } from './tool-list'
import { XmlMachine } from './xml-decode'
import { declaredCall, xmlCalls } from './xml-encode'
import { XmlFenced } from './xml-fenced'
import { xmlSection } from './xml-prompt'

export const xml = textProtocol({
  id: 'xml',
  label: 'XML in the text',
  help: 'Tools are described in the instructions, and the model writes its calls as XML. For models without function calls of their own.',
  isTagged: true,
  section: xmlSection,
  describe: describeInText,
  declared: declaredCall,
  answer: (parts) => ({ text: encodeParts(parts), holdsReasoning: false }),
  machine: (out, tools) =>
    new XmlFenced(new XmlMachine(out, tools), (name) => tools.parameters.has(tools.toName(name.trim()))),
})

/** Consecutive calls without text between them share one block. */
function encodeParts(parts: readonly Part[]): string {
  let text = ''
  let calls: CallPart[] = []
  const flush = () => {
    if (calls.length > 0) text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${xmlCalls(calls)}`
    calls = []
  }
  for (const part of parts) {
    if (part.type === 'call') calls.push(part)
    else if (part.type === 'text') {
      flush()
      text += part.text
    }
  }
  flush()
  return text
}
