/** The defaults of version 1, written out a second time by hand: every exported config depends on them. */
import { describe, expect, it } from 'vitest'
import { policies } from '#lib/policies'
import { defaultModel } from '#lib/spec/config'
import { defaultLimits, defaultRepeat, defaultTimeoutSeconds, defaultToolLimits } from '#lib/spec/policy'
import { tools } from '#lib/tools'
import { readConfig } from './catalog'

const settingsOf = (use: string) => policies.find((each) => each.id === use)?.settings.parse({})

describe('defaults never change', () => {
  it('S3-09 holds what a run keeps to when no policy says otherwise', () => {
    expect(defaultLimits).toEqual({
      maxSteps: 10,
      onLimit: 'summarize',
      strategy: 'sequential',
      timing: 'after_stream',
      concurrency: 8,
      finish: 'text',
      continues: 0,
      budget: { tokens: Infinity, usd: Infinity, seconds: Infinity },
      history: { maxMessages: 50, maxTokens: 100_000, clearToolTurns: false },
      context: { at: 0.8, how: 'clear', keep: 4, clearTo: 0.5 },
    })
    expect(defaultRepeat).toBe(3)
    expect(defaultToolLimits).toEqual({ maxChars: 10_000, timeoutSeconds: Infinity, retries: [] })
    expect(defaultTimeoutSeconds).toBe(30)
    expect(defaultModel).toEqual({ provider: 'scripted', name: 'demo' })
    const others = tools.filter((each) => each.timeoutSeconds !== defaultTimeoutSeconds)
    expect(others.map(({ name, timeoutSeconds }) => [name, timeoutSeconds])).toEqual([
      ['chart.render', 60],
      ['javascript.run', 20],
      ['python.run', 60],
      ['report.write', 60],
      ['research.deep_search', 960],
      ['shell.run', 60],
    ])
  })

  it.each([
    ['skills', { allow: [], deny: [] }],
    ['steps', { max: 10, onLimit: 'summarize' }],
    ['results', { maxChars: 10_000 }],
    ['timeout', { seconds: 30 }],
    ['execution', { strategy: 'sequential', timing: 'after_stream', concurrency: 8 }],
    ['finish', { when: 'text', continues: 0 }],
    ['tool-choice', { choice: 'auto' }],
    ['repeat', { limit: 3 }],
    ['budget', {}],
    ['retry', { max: 2, backoffMs: 500 }],
    ['arguments', { schema: {} }],
    ['history', { maxMessages: 50, maxTokens: 100_000, clearToolTurns: false }],
    ['context', { at: 0.8, how: 'clear', keep: 4, clearTo: 0.5 }],
  ])('of the policy %s', (use, settings) => {
    expect(settingsOf(use)).toEqual(settings)
  })

  it('of an agent that says no more than its name', () => {
    const read = readConfig({ name: 'bare', model: { provider: 'scripted' }, protocol: {} })
    expect(read.ok && read.value).toEqual({
      $schema: 'urn:loopwright:agent:1',
      version: 1,
      name: 'bare',
      title: '',
      description: '',
      instructions: '',
      nextStepPrompt: '',
      interruptReply: '',
      model: {
        provider: 'scripted',
        name: 'demo',
        turns: [],
        completions: [],
        stream: true,
        paceMs: 0,
        timeoutSeconds: 300,
      },
      protocol: { format: 'native', resultPlacement: 'tool_message', locale: 'en' },
      tools: [],
      policies: [],
      groups: [],
      skills: [],
      canvas: { at: {}, look: { frames: [], titles: {} }, notes: [], parked: [] },
    })
  })

  it.each([
    [{ provider: 'openai', name: 'm' }],
    [{ provider: 'anthropic', name: 'm' }],
    [{ provider: 'openai-compatible', endpoint: 'ollama', name: 'm' }],
  ])('of the model %j: what is absent is not sent', (model) => {
    const read = readConfig({ name: 'bare', model })
    expect(read.ok && read.value.model).toEqual({
      ...model,
      extra: {},
      stream: true,
      timeoutSeconds: 300,
      promptCache: true,
    })
  })
})
