/** Endpoints that people commonly add: name and address at one click, and which server a usual port belongs to. */

export interface KnownEndpoint {
  readonly label: string
  /** What a config calls it, unless changed. */
  readonly name: string
  readonly baseUrl: string
  /** Whether it is of no use without a key. */
  readonly needsKey: boolean
}

export const knownEndpoints: readonly KnownEndpoint[] = [
  { label: 'Ollama', name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  { label: 'LM Studio', name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1', needsKey: false },
  { label: 'vLLM', name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', needsKey: false },
  { label: 'llama.cpp', name: 'llama-cpp', baseUrl: 'http://127.0.0.1:8080/v1', needsKey: false },
  { label: 'OpenRouter', name: 'openrouter', baseUrl: 'https://openrouter.ai/api/v1', needsKey: true },
  { label: 'Groq', name: 'groq', baseUrl: 'https://api.groq.com/openai/v1', needsKey: true },
  { label: 'Mistral', name: 'mistral', baseUrl: 'https://api.mistral.ai/v1', needsKey: true },
  {
    label: 'Gemini',
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    needsKey: true,
  },
  { label: 'DeepSeek', name: 'deepseek', baseUrl: 'https://api.deepseek.com/v1', needsKey: true },
  {
    label: 'Azure OpenAI',
    name: 'azure',
    baseUrl: 'https://YOUR-RESOURCE.openai.azure.com/openai/v1',
    needsKey: true,
  },
]

/** The server that usually listens on a port of this machine; undefined for a port of none. */
export function usualServer(port: string): string | undefined {
  if (port === '') return undefined
  return knownEndpoints.find(({ baseUrl }) => new URL(baseUrl).port === port)?.label
}
