/** Every provider of models, one line each. */
export { anthropic } from './anthropic'
export { openai } from './openai'
export { openaiCompatible } from './openai-compatible'
export { scripted } from './scripted'
