/** What the door answers itself: JSON to callers of the API, a small page to people. */
import type { ErrorBody } from '#lib/http/errors'
import { type ErrorCode, errorStatus } from '#lib/spec/errors'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
}

interface RefusalText {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function refusalAsJson({ code, message }: Refusal): RefusalText {
  const body: ErrorBody = { error: { code, message } }
  return {
    status: errorStatus[code],
    headers: headersOf(code, 'application/json'),
    body: JSON.stringify(body),
  }
}

/** A page; where a token is missing, one that takes it. */
export function refusalAsPage({ code, message }: Refusal, nonce: string): RefusalText {
  const form = code === 'unauthorized' ? signIn(nonce) : ''
  const words = code === 'unauthorized' ? 'This server asks for its token (LOOPWRIGHT_TOKEN).' : message
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loopwright</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif }
body { max-width: 24rem; margin: 20vh auto; padding: 0 1rem }
input, button { font: inherit; box-sizing: border-box; width: 100%; margin-top: .5rem; padding: .4rem .6rem }
</style>
<h1>Loopwright</h1>
<p role="status">${escaped(words)}</p>
${form}</html>
`
  return { status: errorStatus[code], headers: headersOf(code, 'text/html'), body }
}

function signIn(nonce: string): string {
  return `<form>
<label>Token <input name="token" type="password" autocomplete="current-password" required autofocus></label>
<button>Sign in</button>
</form>
<script nonce="${nonce}">
document.forms[0].addEventListener('submit', async (event) => {
  event.preventDefault()
  const told = document.querySelector('[role=status]')
  const token = new FormData(event.target).get('token')
  try {
    const answer = await fetch('/api/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ token }) })
    if (answer.ok) return location.reload()
    told.textContent = (await answer.json()).error.message
  } catch {
    told.textContent = 'The server does not answer.'
  }
})
</script>
`
}

function headersOf(code: ErrorCode, type: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    ...(code === 'unavailable' && { 'retry-after': '2' }),
    ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
  }
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
