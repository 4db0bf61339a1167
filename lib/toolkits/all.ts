/** Every toolkit, one line each. */
export { builtin } from './builtin'
export { code } from './code'
export { plan } from './plan'
