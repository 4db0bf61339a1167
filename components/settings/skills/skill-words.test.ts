import { expect, test } from 'vitest'
import type { SkillView } from '#lib/wire/skills'
import { importWords, sizeInWords } from './skill-words'

const skill: SkillView = {
  name: 'notes',
  description: 'Writes notes.',
  metadata: {},
  allowedTools: [],
  hash: `sha256:${'b'.repeat(64)}`,
  bytes: 10,
  files: 2,
  scripts: 0,
  createdAt: 0,
  updatedAt: 0,
  usedBy: [],
}
const used = { ...skill, usedBy: [{ id: 'a', name: 'writer', title: 'Writer', isCurrent: false }] }

test('S4-42 an import says what it has done, and in which agents the skill is off', () => {
  const before = `sha256:${'a'.repeat(64)}`
  expect(importWords({ skill, was: null })).toBe('notes is imported, 2 files. Add it to an agent to use it.')
  expect(importWords({ skill, was: skill.hash })).toBe('notes is here already, with the same files.')
  expect(importWords({ skill, was: before })).toBe('notes is replaced.')
  expect(importWords({ skill: used, was: before })).toBe(
    'notes is replaced. It is off in “Writer” until you have looked at the changes there.',
  )
})

test('sizes are short', () => {
  expect([12, 2_048, 40_000, 3_000_000].map(sizeInWords)).toEqual(['12 B', '2.0 KB', '39 KB', '2.9 MB'])
})
