/** Every provider of models, one line each. */
export { anthropic } from './anthropic/anthropic'
export { openai } from './openai/openai'
export { openaiCompatible } from './openai/openai-compatible'
export { openaiResponses } from './openai/openai-responses'
export { scripted } from './scripted/scripted'
