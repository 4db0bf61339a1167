'use client'
/** One sentence on what this is, and the first question, while nothing has run. */
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { api } from '#components/data/client'
import { Button } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import type { AgentSummary } from '#lib/wire/agents'
import styles from './welcome.module.css'

/** The example that comes with the product, and a question that it answers. */
const example = { name: 'retail-analyst', question: 'Which country brought the most revenue, and how much?' }

export function Welcome({ agents }: { agents: readonly AgentSummary[] }) {
  const router = useRouter()
  const shown = agents.find(({ name, runnable }) => name === example.name && runnable)
  const asking = useMutation({
    mutationFn: (id: string) => api.runs.create(id, { input: example.question }),
    onSuccess: ({ id: run }, agent) => router.push(`/agents/${encodeURIComponent(agent)}?run=${run}`),
  })
  return (
    <section className={styles.welcome} aria-label="Welcome">
      <div>
        <h2>Draw an agent, run it, and watch every step.</h2>
        <p>
          Loopwright is a workshop for AI agents that call tools. It runs on your own machine, and an agent is
          one JSON file.
        </p>
        {asking.isError && <ErrorNote error={asking.error} />}
      </div>
      {shown !== undefined && (
        <Button
          variant="primary"
          icon="play"
          title={example.question}
          disabled={asking.isPending || asking.isSuccess}
          onClick={() => asking.mutate(shown.id)}
        >
          Ask the example
        </Button>
      )}
    </section>
  )
}
