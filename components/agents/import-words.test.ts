import { describe, expect, it } from 'vitest'
import { ApiError } from '#components/data/client'
import type { Diagnostic } from '#lib/spec/errors'
import { asOfNow, findingsOf, refusalOf } from './import-words'

const warning = (code: string, message: string, path?: string): Diagnostic => ({
  severity: 'warning',
  code,
  message,
  ...(path !== undefined && { path }),
})

describe('what this server lacks', () => {
  it.each([
    ['secret_missing', '#secrets'],
    ['database_missing', '#databases'],
    ['price_missing', '#prices'],
    ['provider_not_ready', '#models'],
    ['collection_missing', '#knowledge'],
    ['skill_missing', '#skills'],
    ['mcp_server_missing', '#mcp'],
  ])('%s leads to %s', (code, anchor) => {
    const [found] = findingsOf({ lacks: [warning(code, 'It is not here.')], diagnostics: [] })
    expect(found?.settings?.href.endsWith(anchor)).toBe(true)
  })

  it('of another agent leads to no section, whatever its name', () => {
    const lack = warning('agent_not_found', 'There is no agent “keymaster” on this server.', 'tools/0/agent')
    expect(findingsOf({ lacks: [lack], diagnostics: [] })[0]?.settings).toBeUndefined()
  })

  it('is looked at again once all files of an import are here', () => {
    const gone = warning('agent_not_found', 'There is no agent “helper” here.', 'tools/0/agent')
    const secret = warning('secret_missing', 'No secret.', 'tools/1/headers')
    const draft = warning('agent_not_published', 'helper has no published version.', 'tools/0/version')
    const now = asOfNow(
      { lacks: [gone, secret], diagnostics: [gone, secret] },
      { diagnostics: [draft, secret] },
    )
    expect(findingsOf(now).map(({ message }) => message)).toEqual([secret.message, draft.message])
  })

  it('stands before what is wrong with the drawing, and nothing is said twice', () => {
    const lack = warning('secret_missing', 'No secret WEATHER_KEY here.', 'tools/0/headers')
    const odd = warning('policy_off', 'A policy is switched off.', 'policies/0')
    const known = findingsOf({ lacks: [lack], diagnostics: [odd, lack, { ...odd, severity: 'info' }] })
    expect(known.map((each) => each.path)).toEqual(['tools/0/headers', 'policies/0'])
  })
})

describe('why a file was not taken', () => {
  const text = '{\n  "name": "odd",\n  "tols": [],\n  "modle": {}\n}'

  it('is told with the line of each place', () => {
    const error = new ApiError({
      code: 'invalid_config',
      status: 400,
      message: 'This key is not known.',
      path: 'tols',
      detail: {
        diagnostics: [
          { severity: 'error', code: 'unknown_key', message: 'This key is not known.', path: 'tols' },
          { severity: 'error', code: 'unknown_key', message: 'Nor this.', path: 'modle' },
        ],
      },
    })
    expect(refusalOf(error, text).places).toEqual([
      { path: 'tols', line: 3 },
      { message: 'Nor this.', path: 'modle', line: 4 },
    ])
  })

  it('says a place once, where the message names it already', () => {
    const message = 'This is not an agent config (at tols): This key is not known.'
    const error = new ApiError({ code: 'invalid_config', status: 422, message, path: 'tols' })
    expect(refusalOf(error, text)).toMatchObject({
      what: 'This is not an agent config (at tols, line 3): This key is not known.',
      places: [],
    })
  })

  it('offers a free name where the name is taken', () => {
    const error = new ApiError({
      code: 'name_taken',
      status: 409,
      message: 'The name odd is taken by another agent; odd-2 is free.',
      path: 'name',
      detail: { free: 'odd-2' },
    })
    expect(refusalOf(error, text)).toMatchObject({ free: 'odd-2', places: [{ path: 'name', line: 2 }] })
  })
})
