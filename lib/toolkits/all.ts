/** Every toolkit, one line each. */
export { builtin } from './builtin'
export { code } from './code'
export { http } from './http'
export { knowledge } from './knowledge'
export { mcp } from './mcp'
export { memory } from './memory'
export { openapi } from './openapi'
export { plan } from './plan'
