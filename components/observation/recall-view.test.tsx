import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { Fit } from '#lib/spec/recall'
import { Passages } from './recall-view'

const place = { collection: 'handbook', file: 'refunds.md', place: '', text: 'Thirty days.' }
const markup = (fits: readonly Fit[]) =>
  renderToStaticMarkup(<Passages passages={fits.map((fit) => ({ ...place, ...fit }))} />)
const shown = (...fits: readonly Fit[]) => markup(fits).replaceAll(/<[^>]*>/g, '|')

describe('a passage shows of what its score is made up', () => {
  it.each<[string, Fit, string]>([
    ['words alone, which are the score', { score: 3.2, words: 3.2 }, '|handbook · best match|'],
    ['both', { score: 0.97, words: 3.2, meaning: 0.8 }, '· words 3.2 · meaning 0.80|'],
    ['words of a search by both', { score: 0.5, words: 3.2 }, '|handbook · best match · words 3.2|'],
    ['meaning of a search by both', { score: 0.5, meaning: 0.8 }, '· best match · meaning 0.80|'],
  ])('found by %s', (_, fit, why) => {
    expect(shown(fit)).toContain(why)
  })
})

describe('passages are shown by rank, and how near each comes to the best', () => {
  it('also where all scores are near 0, as in a tiny collection', () => {
    const words = [0.000_004, 0.000_003, 0.000_000_001]
    const text = shown(...words.map((score) => ({ score, words: score })))
    expect(text).toContain('|1|')
    expect(text).toContain('|3|')
    expect(text).toContain('|handbook · 75 % of the best|')
    expect(text).toContain('|handbook · under 1 % of the best|')
    expect(text).not.toContain('0.00')
  })

  it('with the score itself in as many digits as it needs', () => {
    expect(markup([{ score: 0.000_004_321, words: 0.000_004_321 }])).toContain('title="Score 0.00000432"')
  })

  it('says nothing of a share where the best is not above 0', () => {
    expect(shown({ score: -0.1, meaning: -0.1 }, { score: -0.2, meaning: -0.2 })).toContain(
      '|handbook · meaning -0.20|',
    )
  })
})
