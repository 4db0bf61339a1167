import { expect, test } from 'vitest'
import { listUsers, removalEffect } from './secret-words'

test('S3-22 the users of a secret are named as what they are, published versions with their agent', () => {
  expect(listUsers([])).toBe('')
  expect(listUsers(['openai', 'mcp:files', 'agent:notes'])).toBe('openai, MCP server files, agent notes')
  expect(listUsers(['agent:desk', 'agent:desk@4', 'agent:desk@3', 'agent:old@1'])).toBe(
    'agent desk (draft, versions 4 and 3), agent old (version 1)',
  )
  expect(listUsers([9, 8, 7, 6, 5].map((version) => `agent:desk@${version}`))).toBe(
    'agent desk (versions 9, 8, 7 and 2 more)',
  )
})

test('S3-22 before a secret is removed, what needs it is said', () => {
  expect(removalEffect([])).toBe('')
  expect(removalEffect(['openai', 'agent:desk@1'])).toBe(
    'Without it, agents can no longer use openai. Requests of agent desk (version 1) that need it fail.',
  )
})
