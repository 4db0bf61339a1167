/** The security headers of every response: what our pages may load, and what other sites may do with them. */
import { randomBytes } from 'node:crypto'

export function newNonce(): string {
  return randomBytes(18).toString('base64url')
}

/** The content security policy of one response. Only development mode allows `eval` and web sockets. */
export function policyOf(nonce: string, { dev }: { dev: boolean }): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    // The canvas positions its nodes with inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** For responses of the API: data that may do nothing, even where a browser treats it as a page. */
export const dataPolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

const off = [
  'accelerometer',
  'autoplay',
  'camera',
  'display-capture',
  'encrypted-media',
  'fullscreen',
  'geolocation',
  'gyroscope',
]
const offToo = [
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'picture-in-picture',
  'publickey-credentials-get',
  'usb',
]

export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': [...off, ...offToo].map((name) => `${name}=()`).join(', '),
}
