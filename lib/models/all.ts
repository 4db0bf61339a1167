/** Every provider of models, one line each. */
export { scripted } from './scripted'
