/**
 * Plays a plan in the format that a request uses: it writes answers and reads observations as a model would.
 */
import type { Conversation } from '#lib/models/scripted/body'
import type { Behaviour, Said, SaidCall } from './behaviour'
import { conversationOf } from './conversation'
import type { Asked } from './responder'

export const formats = ['native', 'xml', 'json', 'json_fence'] as const
export type Format = (typeof formats)[number]

/**
 * One turn of a plan, with the tools' own names in its calls.
 * @param seen the last observation, as the tool returned it; empty before the first
 */
export type Turn = (seen: string) => Said

/** Chooses the turn from each request alone, so that any number of runs can share a plan. */
export function playing(plan: readonly Turn[]): (asked: Asked) => Behaviour {
  return ({ wire, body }) => {
    const conversation = conversationOf(wire, body)
    const format = formatOf(conversation)
    const turn = plan[conversation.step - 1]
    if (turn === undefined) return { say: written(format, { text: 'The plan is at its end.' }) }
    return { say: written(format, turn(observationIn(format, conversation))) }
  }
}

/** Detected from the tools of the request, or from what its instructions say about calls. */
function formatOf({ tools, instructions }: Conversation): Format {
  if (tools.length > 0) return 'native'
  if (instructions.includes('<function_calls>')) return 'xml'
  if (instructions.includes('"tool_calls"')) return 'json'
  return instructions.includes('"function_name"') ? 'json_fence' : 'native'
}

/** The last result in the last message, without the markup of the format. */
function observationIn(format: Format, { messages }: Conversation): string {
  const last = messages.at(-1)
  if (last === undefined || last.role === 'assistant') return ''
  if (format === 'native') return last.role === 'tool' ? last.text : ''
  const around = format === 'xml' ? /<result [^>]*>\n([\s\S]*?)\n<\/result>/g : /\n(`{3,})\n([\s\S]*?)\n\1/g
  return [...last.text.matchAll(around)].at(-1)?.at(-1) ?? ''
}

function written(format: Format, { text = '', calls = [], ...rest }: Said): Said {
  switch (format) {
    case 'native':
      return { ...rest, text, calls: calls.map((each) => ({ ...each, name: onWire(each.name) })) }
    case 'xml':
      return { ...rest, text: calls.length === 0 ? text : `${text}\n\n${xmlCalls(calls)}` }
    case 'json':
      return { ...rest, text: JSON.stringify(jsonAnswer(text, calls), null, 2) }
    case 'json_fence':
      return { ...rest, text: [text, ...calls.map(fencedCall)].join('\n\n') }
  }
  return format satisfies never
}

/** The services do not allow dots in names. */
function onWire(name: string): string {
  return name.replaceAll('.', '_')
}

function xmlCalls(calls: readonly SaidCall[]): string {
  const invokes = calls.map((call) => {
    const parameters = Object.entries(argsOf(call)).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return `<parameter name="${name}">${text}</parameter>\n`
    })
    return `<invoke name="${call.name}">\n${parameters.join('')}</invoke>\n`
  })
  return `<function_calls>\n${invokes.join('')}</function_calls>`
}

function jsonAnswer(text: string, calls: readonly SaidCall[]) {
  if (calls.length === 0) return { reasoning: 'Nothing is missing.', action: 'finish', content: text }
  const made = calls.map((call) => ({ name: call.name, arguments: argsOf(call) }))
  return { reasoning: text, action: 'tool_call', tool_calls: made }
}

function fencedCall(call: SaidCall): string {
  return `\`\`\`json\n${JSON.stringify({ function_name: call.name, ...argsOf(call) }, null, 2)}\n\`\`\``
}

function argsOf({ args = {} }: SaidCall) {
  if (typeof args === 'string') throw new Error('a plan says arguments as an object')
  return args
}
