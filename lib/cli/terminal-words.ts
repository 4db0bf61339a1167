/**
 * Messages about models name the Settings page, which the command line does not have: here they name the
 * variable or option instead. Pure.
 */
import { homeOf } from '#lib/server/providers/homes'
import { defaultModel, type ModelSettings } from '#lib/spec/config'
import type { RunEvent } from '#lib/spec/event'
import type { Provider } from '#lib/spec/model'
import { addressVariable, keyVariable } from '#lib/spec/variables'

/** Where a model is: at a service of the product, or at an added endpoint. */
export interface ModelPlace {
  readonly name: string
  readonly isAdded: boolean
}

export function modelPlace(
  { provider, endpoint }: ModelSettings = defaultModel,
  providers: readonly Provider[],
): ModelPlace {
  return typeof endpoint === 'string'
    ? { name: endpoint, isAdded: true }
    : { name: homeOf(providers, provider), isAdded: false }
}

/** The message with ` under Settings` replaced by the place where the command line has the same thing. */
export function forTerminal(message: string, place: ModelPlace): string {
  return message
    .split(/(?<=\. )/)
    .map((sentence, index, all) =>
      / (under|in) Settings/.test(sentence)
        ? sentence.replace(
            / (under|in) Settings/g,
            ` ${settingOf(`${all[index - 1] ?? ''}${sentence}`, place)}`,
          )
        : sentence,
    )
    .join('')
}

/** An event with its messages for a person at a terminal. */
export function eventForTerminal(event: RunEvent, place: ModelPlace): RunEvent {
  switch (event.type) {
    case 'model.retried':
      return { ...event, reason: forTerminal(event.reason, place) }
    case 'model.answered':
      return event.fault === undefined
        ? event
        : { ...event, fault: { ...event.fault, message: forTerminal(event.fault.message, place) } }
    case 'run.finished':
      return event.error === null
        ? event
        : { ...event, error: { ...event.error, message: forTerminal(event.error.message, place) } }
    default:
      // No other event carries a message about a provider.
      return event
  }
}

function settingOf(sentence: string, { name, isAdded }: ModelPlace): string {
  if (/price/i.test(sentence)) return 'under Settings of a server, and name its data folder with --data'
  // "The address" may be mentioned beside a key, and then it is the key that is missing.
  if (/\bkey\b/i.test(sentence)) return `in ${keyVariable(name)}`
  return isAdded ? `with --endpoint ${name}=URL` : `in ${addressVariable(name)}`
}
