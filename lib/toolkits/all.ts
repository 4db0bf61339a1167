/** Every toolkit, one line each. */
export { builtin } from './builtin'
export { code } from './code'
export { http } from './http'
export { mcp } from './mcp'
export { openapi } from './openapi'
export { plan } from './plan'
