import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { curlOf } from './curl'

/** The words that the shell passes to curl. */
function words(command: string, environment: Record<string, string> = {}): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, ...environment } })
    .toString()
    .split('\0')
    .slice(0, -1)
}

describe('a request as curl', () => {
  it('says that nothing goes over the wire by saying nothing', () => {
    expect(curlOf({ request: {}, http: null })).toBe(null)
  })

  it('hands the body and the headers to curl as they are, whatever stands in them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        const request = { text: text.replaceAll('\0', ''), quote: `it's $HOME \`id\` "x"` }
        const http = { url: 'https://api.example/v1?a=1&b=2', headers: { 'X-A': `it's "b" $(id)` } }
        expect(words(curlOf({ request, http }) ?? '')).toEqual([
          'https://api.example/v1?a=1&b=2',
          '-H',
          'content-type: application/json',
          '-H',
          `x-a: it's "b" $(id)`,
          '--data-binary',
          JSON.stringify(request),
        ])
      }),
      { numRuns: 20 },
    )
  })

  it('leaves the key to a variable of the shell', () => {
    const http = { url: 'https://api.example', headers: { Authorization: 'Bearer $OPENAI_API_KEY' } }
    const command = curlOf({ request: {}, http }) ?? ''
    expect(words(command, { OPENAI_API_KEY: 'k $x' })).toContain('authorization: Bearer k $x')
  })
})
