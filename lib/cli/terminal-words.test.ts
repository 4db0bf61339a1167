import { describe, expect, test } from 'vitest'
import { productParts } from '#lib/server/parts'
import type { EventOf } from '#lib/spec/event'
import { eventForTerminal, forTerminal, modelPlace } from './terminal-words'

const lab = { name: 'lab', isAdded: true }
const openai = { name: 'openai', isAdded: false }

describe('messages at the terminal', () => {
  test.each([
    [
      'No address is set for "lab". Enter it under Settings.',
      lab,
      'No address is set for "lab". Enter it with --endpoint lab=URL.',
    ],
    [
      'lab refused the key (HTTP 401). Check it under Settings.',
      lab,
      'lab refused the key (HTTP 401). Check it in LAB_API_KEY.',
    ],
    [
      'OpenAI refused the key (HTTP 401). Check it under Settings.',
      openai,
      'OpenAI refused the key (HTTP 401). Check it in OPENAI_API_KEY.',
    ],
    [
      'Nothing answers at 127.0.0.1:1. Start the server there, or correct the address of OpenAI under Settings.',
      openai,
      'Nothing answers at 127.0.0.1:1. Start the server there, or correct the address of OpenAI in OPENAI_BASE_URL.',
    ],
    [
      'The price of m (lab) is not known, so a budget of $1 cannot be enforced. Set the price in Settings, or remove the limit.',
      lab,
      'The price of m (lab) is not known, so a budget of $1 cannot be enforced. Set the price under Settings of a server, and name its data folder with --data, or remove the limit.',
    ],
    ['The dialogue is too long.', lab, 'The dialogue is too long.'],
  ])('%s', (message, place, said) => {
    expect(forTerminal(message, place)).toBe(said)
  })

  test('the API of a service shares the variables of the service', () => {
    const { providers } = productParts
    expect(modelPlace({ provider: 'openai-responses', name: 'm' }, providers)).toEqual(openai)
    expect(modelPlace({ provider: 'openai-compatible', endpoint: 'lab', name: 'm' }, providers)).toEqual(lab)
    expect(modelPlace(undefined, providers)).toEqual({ name: 'scripted', isAdded: false })
  })

  test('are said in the events of a run too', () => {
    const retried: EventOf<'model.retried'> = {
      type: 'model.retried',
      seq: 1,
      at: 0,
      step: 1,
      attempt: 1,
      code: 'connection',
      reason: 'There is no network route to x. Check the network, and the address of lab under Settings.',
      waitMs: 1,
    }
    expect(eventForTerminal(retried, lab)).toMatchObject({
      reason:
        'There is no network route to x. Check the network, and the address of lab with --endpoint lab=URL.',
    })
  })
})
