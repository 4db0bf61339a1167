/** Every toolkit, one line each. */
export { builtin } from './builtin'
export { code } from './code'
export { http } from './http'
export { mcp } from './mcp'
export { plan } from './plan'
