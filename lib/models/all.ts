/** Every provider of models, one line each. */
export { anthropic } from './anthropic'
export { openai } from './openai'
export { openaiCompatible } from './openai-compatible'
export { openaiResponses } from './openai-responses'
export { scripted } from './scripted'
