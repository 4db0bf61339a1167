import { describe, expect, test } from 'vitest'
import { readUse } from './call-use'

describe('what a call used', () => {
  test('S1-07 is its processor time, its memory, its exit code and the wall it ran behind', () => {
    const wall = { id: 'b', name: 'bubblewrap', strength: 'system', promises: ['no network'], gaps: ['x'] }
    expect(readUse({ wall, cpuSeconds: 0.016, peakMemoryBytes: 3_000_000, exitCode: 2 })).toEqual({
      wall: { name: 'bubblewrap', promise: 'no network, but x' },
      figures: ['exit code 2', '0.02 s of processor time', expect.stringMatching(/^\S+ \S+ of memory$/)],
    })
  })

  test('is nothing in the metadata of another tool, whatever its shape', () => {
    expect(readUse({ wall: 'brick', cpuSeconds: null, rows: 3 })).toEqual({ figures: [] })
    expect(readUse({ wall: { name: 7 } })).toEqual({ figures: [] })
  })
})
