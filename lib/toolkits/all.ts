/** Every toolkit, one line each. */
export { builtin } from './builtin'
export { code } from './code'
export { mcp } from './mcp'
export { plan } from './plan'
