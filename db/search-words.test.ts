import { describe, expect, it } from 'vitest'
import { indexedWords, questionTerms } from './search-words'

describe('words of memories and passages', () => {
  it('of scripts without spaces are characters and pairs, so that a part of a sentence is found', () => {
    expect(indexedWords('退款 in 30日')).toBe('退 退款 款 in 30 日')
    expect(questionTerms('如何退款')).toEqual(['如何', '何退', '退款'])
  })

  it('of a question leave out what says little, unless there is nothing else', () => {
    expect(questionTerms('What is the return policy for shoes?')).toEqual(['return', 'policy', 'shoes'])
    expect(questionTerms('What is it?')).toEqual(['what', 'is', 'it'])
    expect(questionTerms('?!')).toEqual([])
  })
})
