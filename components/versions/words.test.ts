import { describe, expect, it } from 'vitest'
import type { ConfigChange } from '#lib/graph/diff'
import type { VersionView } from '#lib/wire/agents'
import { draftWords, publishWords } from './words'

const newest: VersionView = { version: 4, configHash: 'h', config: { name: 'a' }, createdAt: 0 }
const change: ConfigChange = { kind: 'added', before: null, after: 'model', text: 'Model added' }
const config = { name: 'a' }

describe('a draft beside its versions', () => {
  it('is a draft before the first version, the version itself while nothing changed, else a draft with its changes', () => {
    expect(draftWords({ newest: undefined, changes: null })).toBe(null)
    expect(draftWords({ newest: null, changes: null })).toBe('Draft')
    expect(draftWords({ newest, changes: [] })).toBe('v4')
    expect(draftWords({ newest, changes: [change] })).toBe('Draft, 1 change since v4')
    expect(draftWords({ newest, changes: [change, change, change] })).toBe('Draft, 3 changes since v4')
    expect(draftWords({ newest, changes: null })).toBe('Draft since v4')
  })

  it('can be published when it compiles and something changed, and says why not otherwise', () => {
    expect(publishWords({ config, newest: null, changes: null })).toEqual({
      label: 'Publish v1',
      reason: null,
    })
    expect(publishWords({ config, newest, changes: [change] })).toEqual({ label: 'Publish v5', reason: null })
    expect(publishWords({ config, newest, changes: [] })).toEqual({
      label: 'v4 published',
      reason: 'Nothing has changed since this version',
    })
    expect(publishWords({ config: null, newest, changes: null }).reason).toBe(
      'Nothing to publish while the drawing has errors',
    )
  })
})
