/** Every protocol, one line each. */
export { json } from './json'
export { jsonFence } from './json-fence'
export { native } from './native'
export { xml } from './xml'
