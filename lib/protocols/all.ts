/** Every protocol, one line each. */
export { native } from './native'
