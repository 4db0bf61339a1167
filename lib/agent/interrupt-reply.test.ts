import { describe, expect, test } from 'vitest'
import {
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  fresh,
  replay,
  said,
  type Turn,
  text,
  unpaired,
} from './rig.fixture'
import { messagesOf } from './state/dialogue'

const interruptReply = 'You stopped me.'

describe('the reply of an agent whose run is cancelled (S4-30)', () => {
  test('comes after the text that was cut off, and is joined to it in the dialogue', async () => {
    const turn: Turn = [{ type: 'text', text: 'It is' }, 'hang']
    const { deps } = createRig({ play: [turn], deps: { interruptReply } })
    const events = await collect(deps, {
      on: ({ type }, controller) => type === 'text.delta' && controller.abort('cancel'),
    })
    expect(endOf(events)).toMatchObject({
      status: 'cancelled',
      answer: 'It is\n\nYou stopped me.',
      interrupted: { reply: interruptReply },
    })
    expect(messagesOf(replay(events)).slice(1)).toEqual([
      { role: 'assistant', parts: [{ type: 'text', text: 'It is\n\nYou stopped me.' }] },
    ])
  })

  test('is a message of its own after calls, whose results stay paired', async () => {
    const { deps } = createRig({
      play: [calls('look', 'look')],
      tools: [createTool('look')],
      deps: { interruptReply },
    })
    const events = await collect(deps, {
      on: ({ type }, controller) => type === 'call.finished' && controller.abort('cancel'),
    })
    const messages = messagesOf(replay(events))
    expect(unpaired(messages)).toEqual([])
    expect(messages.at(-1)).toEqual({ role: 'assistant', parts: [{ type: 'text', text: interruptReply }] })
    const next = createRig({ play: [text('ok')] })
    expect(endOf(await collect(next.deps, { state: fresh({ history: messages }) })).status).toBe('completed')
    expect(unpaired(next.model.requests[0]?.messages ?? [])).toEqual([])
  })

  test('is given only when a person cancels', async () => {
    const broken = createTool('look', { run: () => said('x') })
    const { deps } = createRig({
      play: [calls('look'), text('ok')],
      tools: [broken],
      deps: { interruptReply },
    })
    const end = endOf(await collect(deps))
    expect(end.answer).toBe('ok')
    expect(end).not.toHaveProperty('interrupted')
  })

  test.each([undefined, ''])('does not exist by default (%j)', async (reply) => {
    const deps = reply === undefined ? {} : { interruptReply: reply }
    const rig = createRig({ play: [['hang']], deps })
    const end = endOf(
      await collect(rig.deps, {
        on: ({ type }, controller) => type === 'model.requested' && controller.abort('cancel'),
      }),
    )
    expect(end.answer).toBeNull()
    expect(end).not.toHaveProperty('interrupted')
  })
})
