/** OpenAI-compatible endpoints people commonly add: name and address at one click. */

export interface EndpointPreset {
  readonly label: string
  /** What a config calls it, unless changed. */
  readonly name: string
  readonly baseUrl: string
  /** Whether it is of no use without a key. */
  readonly needsKey: boolean
}

export const endpointPresets: readonly EndpointPreset[] = [
  { label: 'Ollama', name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', needsKey: false },
  { label: 'LM Studio', name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1', needsKey: false },
  { label: 'vLLM', name: 'vllm', baseUrl: 'http://127.0.0.1:8000/v1', needsKey: false },
  { label: 'llama.cpp', name: 'llama-cpp', baseUrl: 'http://127.0.0.1:8080/v1', needsKey: false },
  { label: 'DeepSeek', name: 'deepseek', baseUrl: 'https://api.deepseek.com/v1', needsKey: true },
]
