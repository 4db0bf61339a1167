/** What an agent that is called reads as its question. */
import type { AgentTask } from '#lib/spec/agents-port'

export function questionOfTask({ task, files }: Pick<AgentTask, 'task' | 'files'>): string {
  if (files.length === 0) return task
  return `${task}\n\nFiles given with this task, in your files:\n${files.map((each) => `- ${each}`).join('\n')}`
}
