/** The door's own responses: JSON for clients of the API, a small page for people. */

import { type ErrorCode, errorStatus } from '#lib/spec/errors'
import type { ErrorBody } from '#lib/wire/errors'

export interface DoorRefusal {
  readonly code: ErrorCode
  readonly message: string
}

interface RefusalText {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function refusalAsJson({ code, message }: DoorRefusal): RefusalText {
  const body: ErrorBody = { error: { code, message } }
  return {
    status: errorStatus[code],
    headers: headersOf(code, 'application/json'),
    body: JSON.stringify(body),
  }
}

/** A page with the message, or with a sign-in form when the token is missing. */
export function refusalAsPage({ code, message }: DoorRefusal, nonce: string, font?: string): RefusalText {
  const form = code === 'unauthorized' ? signIn(nonce) : ''
  const words = code === 'unauthorized' ? 'This server requires its token (LOOPWRIGHT_TOKEN).' : message
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loopwright</title>
<link rel="icon" href="/icon.svg">
<style>
${font === undefined ? '' : fontFace(font)}${look}</style>
<main>
<h1>${mark}Loopwright</h1>
<p role="status">${escapeHtml(words)}</p>
${form}</main>
</html>
`
  return { status: errorStatus[code], headers: headersOf(code, 'text/html'), body }
}

/** The colours and sizes of the app, written out here since its style sheets are behind the door. */
const look = `:root { color-scheme: light dark; font: 13px/20px 'Inter Variable', Inter, ui-sans-serif, system-ui, sans-serif; background: light-dark(#fafbfc, #121316); color: light-dark(#1b1e23, #ebedef) }
main { box-sizing: border-box; width: 352px; max-width: calc(100vw - 32px); margin: 20vh auto 0; padding: 24px; border: 1px solid light-dark(#e1e3e6, #25272b); border-radius: 8px; background: light-dark(#ffffff, #191b1e) }
h1 { display: flex; align-items: center; gap: 8px; margin: 0; font-size: 18px; line-height: 24px; font-weight: 600; letter-spacing: -.01em }
svg { width: 22px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round }
p { margin: 4px 0 0; color: light-dark(#4c5057, #acb0b5) }
p[data-failed] { color: light-dark(#c2272d, #f68482) }
label { display: block; margin-top: 16px; font-size: 12px }
input, button { box-sizing: border-box; width: 100%; height: 28px; border-radius: 6px; font: inherit }
input { display: block; margin-top: 4px; padding: 0 8px; border: 1px solid light-dark(#cecfd2, #36393f); background: light-dark(#ffffff, #0d0e11); color: inherit }
button { margin-top: 12px; border: 0; background: light-dark(#2261dd, #2f6ae0); color: #ffffff; font-weight: 500 }
:focus-visible { outline: 2px solid light-dark(#2261dd, #72aafd); outline-offset: 2px }
`

/** The app's own font, which the door lets everyone read. */
function fontFace(font: string): string {
  return `@font-face { font-family: 'Inter Variable'; font-weight: 100 900; src: url('${font}') format('woff2') }\n`
}

const mark =
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M16.6 5.4A8 8 0 1 0 20 12"/><circle cx="19.1" cy="8.1" r="2.1" fill="currentColor" stroke="none"/></svg>'

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
  told.dataset.failed = ''
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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
