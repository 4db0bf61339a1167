/** Every toolkit, one line each. */
export { builtin } from './builtin'
