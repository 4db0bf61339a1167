/** Writes earlier answers of a dialogue in the JSON formats, as a model would write them. */
import type { CallPart, Part } from '#lib/spec/message'
import { textOf } from '#lib/spec/message'

/** One object. It includes the reasoning, unless the provider keeps reasoning in a form of its own. */
export function jsonAnswer(parts: readonly Part[]): { text: string; holdsReasoning: boolean } {
  const holdsReasoning = !parts.some((each) => each.type === 'opaque')
  const calls = parts.filter((each) => each.type === 'call')
  const content = textOf(parts)
  let reasoning = ''
  if (holdsReasoning) for (const each of parts) if (each.type === 'reasoning') reasoning += each.text
  if (calls.length === 0 && content === '') return { text: '', holdsReasoning: false }
  const answer = {
    ...(reasoning === '' ? {} : { reasoning }),
    action: calls.length === 0 ? 'finish' : 'tool_call',
    ...(content === '' ? {} : { content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(callIn) }),
  }
  return { text: JSON.stringify(answer), holdsReasoning }
}

function callIn({ name, args, rawArgs }: CallPart) {
  return { name, arguments: args ?? rawArgs }
}

/** Text with a fenced object for each call. */
export function encodeFencedAnswer(parts: readonly Part[]): string {
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += part.text
    if (part.type === 'call')
      text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${encodeFencedCall(part)}\n`
  }
  return text.trimEnd()
}

/**
 * Written by hand, because a tool may have a parameter that is itself called `function_name`:
 * both keys are then needed.
 */
function encodeFencedCall({ name, args, rawArgs }: CallPart): string {
  const inner = JSON.stringify(args ?? { arguments: rawArgs }).slice(1, -1)
  return `\`\`\`json\n{"function_name":${JSON.stringify(name)}${inner === '' ? '' : `,${inner}`}}\n\`\`\``
}
