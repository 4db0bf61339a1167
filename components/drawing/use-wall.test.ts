import { describe, expect, test } from 'vitest'
import type { SandboxView } from '#lib/wire/sandbox'
import { wallFace } from './use-wall'

const wall = { strength: 'process', test: { holds: true, startMs: 5 } } as const
const view: SandboxView = {
  minimum: 'process',
  kinds: [
    {
      kind: 'shell',
      used: 'just-bash',
      refusal: null,
      walls: [
        { ...wall, id: 'bubblewrap', name: 'bubblewrap', promises: ['no network'], gaps: [] },
        { ...wall, id: 'just-bash', name: 'just-bash', promises: ['no programs'], gaps: ['an open network'] },
      ],
    },
    { kind: 'python', used: null, refusal: 'Python code is not run.', walls: [] },
  ],
}

describe('the face of a tool', () => {
  test('names the wall in use with what it promises and what it does not', () => {
    expect(wallFace(view, 'shell')).toEqual({
      name: 'just-bash',
      promise: 'no programs. But: an open network.',
    })
  })

  test('says that code of a kind without a wall is not run', () => {
    expect(wallFace(view, 'python')).toEqual({
      name: 'not run here',
      promise: 'Python code is not run.',
      isNone: true,
    })
  })

  test('says nothing of a kind that the server does not know', () => {
    expect(wallFace(view, 'javascript')).toBeUndefined()
  })
})
