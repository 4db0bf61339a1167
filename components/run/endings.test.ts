import { describe, expect, it } from 'vitest'
import { endingOf } from './endings'

const ending = (code: string) => endingOf({ code, message: '' })

describe('how a run ended', () => {
  it('leads to Settings where a key, an address or a model is at fault', () => {
    for (const code of ['model_auth', 'model_connection', 'model_not_found', 'model_settings'])
      expect(ending(code), code).toMatchObject({ anchor: 'models', tone: 'error' })
    expect(ending('model_overloaded')?.anchor).toBe(undefined)
  })

  it('is no fault when an answer was cut or a limit held', () => {
    expect(ending('truncated')?.tone).toBe('plain')
    expect(ending('max_steps')?.tone).toBe('policy')
    expect(ending('budget')?.tone).toBe('policy')
  })

  it('is left to its own message when nobody knows the code', () => {
    expect(ending('not_stored')).toBe(undefined)
  })
})
