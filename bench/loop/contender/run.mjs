/**
 * For the benchmark of peers: our loop behind its `create`, without storage or, through `stored.mjs`, with
 * it.
 */
import { MODEL, SYSTEM, toolDefs } from '../../lib/task.mjs'

const bundle = process.env.LOOPWRIGHT_CONTENDER
if (!bundle) throw new Error('Set LOOPWRIGHT_CONTENDER to the bundle that bench/loop/bundle.mjs has created.')

export async function createWith(open, { base }) {
  const contenders = await import(bundle)
  const ours = await contenders[open]({ base, model: MODEL, system: SYSTEM, tools: toolDefs })
  return async (prompt, _steps, events) => {
    await ours.ask(prompt, (event) => tell(event, events))
  }
}

export const create = (options) => createWith('openLoop', options)

function tell(event, events) {
  if (event.type === 'text.delta') {
    // A batch of 40 ms is one event; it is passed on word by word, since the benchmark counts pieces.
    for (const d of event.text.split(/(?<= )/)) events.push({ t: 'text', d })
  } else if (event.type === 'model.answered') {
    for (const part of event.parts)
      if (part.type === 'call') events.push({ t: 'call', id: part.id, name: part.name, args: part.args })
    events.push({ t: 'usage', in: event.usage.input, out: event.usage.output })
  } else if (event.type === 'call.finished') {
    events.push({ t: 'result', id: event.callId, out: event.result.text })
  }
}
