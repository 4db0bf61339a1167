/** Every policy, one line each. */
export { execution } from './execution'
export { results } from './results'
export { skills } from './skills'
export { steps } from './steps'
export { timeout } from './timeout'
