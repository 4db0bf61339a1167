/** A person's draft of a plan: what its edits do to it, and the plan that it makes. Pure. */
import { type HeldPlan, mostPlanSteps, type Plan, type PlanStep, planAlone } from '#lib/spec/plan'

/** Rows keep their key while they move, so that a field keeps its focus. */
export interface DraftStep extends PlanStep {
  readonly key: number
}
export interface PlanDraft {
  /** The revision of the plan that it was made from. */
  readonly revision: number
  readonly plan: Omit<Plan, 'steps'>
  readonly steps: readonly DraftStep[]
}

export type PlanEdit =
  | { readonly do: 'title'; readonly title: string }
  | { readonly do: 'step'; readonly at: number; readonly change: Partial<PlanStep> }
  | { readonly do: 'move'; readonly at: number; readonly by: -1 | 1 }
  | { readonly do: 'remove'; readonly at: number }
  | { readonly do: 'add' }

export function draftOf(held: HeldPlan): PlanDraft {
  const { steps, ...plan } = planAlone(held)
  return { revision: held.revision, plan, steps: steps.map((step, key) => ({ ...step, key })) }
}

export function editDraft(draft: PlanDraft, edit: PlanEdit): PlanDraft {
  const { plan, steps } = draft
  switch (edit.do) {
    case 'title':
      return { ...draft, plan: { ...plan, title: edit.title } }
    case 'step':
      return {
        ...draft,
        steps: steps.map((step, at) => (at === edit.at ? { ...step, ...edit.change } : step)),
      }
    case 'move': {
      const [moved, to] = [steps[edit.at], edit.at + edit.by]
      if (moved === undefined || to < 0 || to >= steps.length) return draft
      return { ...draft, steps: steps.toSpliced(edit.at, 1).toSpliced(to, 0, moved) }
    }
    case 'remove':
      return { ...draft, steps: steps.toSpliced(edit.at, 1) }
    case 'add': {
      if (steps.length >= mostPlanSteps) return draft
      const key = Math.max(-1, ...steps.map((step) => step.key)) + 1
      return { ...draft, steps: [...steps, { key, text: '', status: 'todo' }] }
    }
  }
  return edit satisfies never
}

/** The plan without steps that have no text, or why it cannot be saved. */
export function planOf({ plan, steps }: PlanDraft): Plan | string {
  const title = plan.title.trim()
  if (title === '') return 'Give the plan a title.'
  const named = steps.flatMap(({ key: _key, text, note, ...step }): PlanStep[] =>
    text.trim() === '' ? [] : [{ ...step, text: text.trim(), ...(note?.trim() && { note: note.trim() }) }],
  )
  if (named.length === 0) return 'Give the plan at least one step.'
  return { ...plan, title, steps: named }
}
