import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Fit } from '#lib/spec/recall'
import { Passages } from './recall-view'

const place = { collection: 'handbook', file: 'refunds.md', place: '', text: 'Thirty days.' }
const shown = (fit: Fit) =>
  renderToStaticMarkup(<Passages passages={[{ ...place, ...fit }]} />).replaceAll(/<[^>]*>/g, '|')

describe('a passage shows its score, and of what it is made up', () => {
  it.each<[string, Fit, string]>([
    ['words alone, which are the score', { score: 3.2, words: 3.2 }, '|handbook|'],
    ['both', { score: 0.97, words: 3.2, meaning: 0.8 }, '|handbook · words 3.20 · meaning 0.80|'],
    ['words of a search by both', { score: 0.5, words: 3.2 }, '|handbook · words 3.20|'],
    ['meaning of a search by both', { score: 0.5, meaning: 0.8 }, '|handbook · meaning 0.80|'],
  ])('found by %s', (_, fit, why) => {
    expect(shown(fit)).toContain(why)
  })
})
