'use client'
/** Thumbs under an answer, with an optional word on what was good or wrong. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { Button, IconButton } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { Line } from '#components/ui/line'
import type { Feedback, Rating as Thumb } from '#lib/spec/feedback'
import styles from './rating.module.css'

export interface RatingProps {
  readonly runId: string
  /** What the server last said; undefined where the page does not know, and asks. */
  readonly known?: Feedback | null
}

const thumbs: readonly { readonly rating: Thumb; readonly label: string; readonly ask: string }[] = [
  { rating: 'up', label: 'Good answer', ask: 'What was good?' },
  { rating: 'down', label: 'Bad answer', ask: 'What was wrong?' },
]

export function Rating({ runId, known }: RatingProps) {
  const { feedback, save, fault } = useFeedback(runId, known)
  const [isAsking, setAsking] = useState(false)
  const rate = (rating: Thumb) => {
    const isTaken = feedback?.rating === rating
    save(isTaken ? null : { rating })
    setAsking(!isTaken)
  }
  const asked = thumbs.find(({ rating }) => rating === feedback?.rating)
  return (
    <>
      {thumbs.map(({ rating, label }) => (
        <IconButton
          key={rating}
          icon={`thumbs-${rating}`}
          size="s"
          label={label}
          pressed={feedback?.rating === rating}
          onClick={() => rate(rating)}
        />
      ))}
      {asked !== undefined && isAsking && (
        <WordField
          label={asked.ask}
          text={feedback?.text ?? ''}
          onDone={(text) => {
            setAsking(false)
            if (text !== null && text !== (feedback?.text ?? ''))
              save({ rating: asked.rating, ...(text !== '' && { text }) })
          }}
        />
      )}
      {asked !== undefined && !isAsking && (
        <button
          type="button"
          className={styles.words}
          title="Edit the comment"
          onClick={() => setAsking(true)}
        >
          {feedback?.text === undefined ? 'Add a comment' : <Line text={`“${feedback.text}”`} />}
        </button>
      )}
      {fault !== null && (
        <span className={styles.fault} role="alert">
          Not saved: {fault.message}
        </span>
      )}
    </>
  )
}

interface WordFieldProps {
  readonly label: string
  readonly text: string
  /** Null leaves the text as it was. */
  onDone(text: string | null): void
}

function WordField({ label, text, onDone }: WordFieldProps) {
  const [typed, setTyped] = useState(text)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const send = (event: FormEvent) => {
    event.preventDefault()
    onDone(typed.trim())
  }
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={send}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
        event.stopPropagation()
        event.preventDefault()
        onDone(null)
      }}
    >
      <TextField
        aria-label={label}
        placeholder={`${label} (optional)`}
        maxLength={2_000}
        value={typed}
        onChange={setTyped}
      />
      <Button type="submit">Save</Button>
      <Button variant="quiet" onClick={() => onDone(null)}>
        Close
      </Button>
    </form>
  )
}

/** The feedback as stored, with the newest change shown at once. */
function useFeedback(runId: string, known: Feedback | null | undefined) {
  const client = useQueryClient()
  const key = ['runs', 'feedback', runId]
  const stored = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.runs.get(runId, signal)).feedback ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    ...(known !== undefined && { initialData: known }),
  })
  const change = useMutation({
    mutationFn: async (next: Feedback | null) => {
      if (next === null) await api.runs.unrate(runId)
      else await api.runs.rate(runId, next)
    },
    onMutate: async (next) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData<Feedback | null>(key)
      client.setQueryData(key, next)
      return { before }
    },
    onError: (_error, _next, context) => client.setQueryData(key, context?.before ?? null),
    onSettled: () => client.invalidateQueries({ queryKey: ['runs', 'list'] }),
  })
  return { feedback: stored.data ?? null, save: change.mutate, fault: change.error }
}
