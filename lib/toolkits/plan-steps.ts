/** A plan as a flat list of steps, kept by one tool with commands. */
import { z } from 'zod'
import {
  isClosed,
  isOpenPlan,
  maxPlanTextChars,
  maxPlanTitleChars,
  mostPlanSteps,
  type Plan,
  type PlanBook,
  type PlanStatus,
  type PlanStep,
  planProgress,
} from '#lib/spec/plan'
import { type StepHint, tool } from '#lib/spec/tool'
import {
  answerChange,
  firstOpen,
  isAllClosed,
  nextPlanId,
  outOfRange,
  planText,
  type StatusWords,
  withStep,
} from './plan-text'

const words: StatusWords = {
  todo: 'not_started',
  in_progress: 'in_progress',
  done: 'completed',
  blocked: 'blocked',
  abandoned: 'abandoned',
}
const statuses: Readonly<Record<string, PlanStatus>> = {
  not_started: 'todo',
  in_progress: 'in_progress',
  completed: 'done',
  blocked: 'blocked',
}

const input = z.object({
  command: z.enum(['create', 'update', 'mark_step', 'next', 'finish']).meta({
    description:
      'create makes a plan of a title and steps; update replaces the title or the steps; mark_step sets the status or the notes of one step; next completes the step in progress and starts the one after it; finish ends the plan.',
  }),
  title: z.string().max(maxPlanTitleChars).optional().meta({ description: 'For create and update.' }),
  steps: z
    .array(z.string().min(1).max(maxPlanTitleChars))
    .max(mostPlanSteps)
    .optional()
    .meta({ description: 'For create and update: all steps, in order.' }),
  step_index: z.int().min(0).optional().meta({ description: 'For mark_step: the step, counted from 0.' }),
  step_status: z
    .enum(['not_started', 'in_progress', 'completed', 'blocked'])
    .optional()
    .meta({ description: 'For mark_step.' }),
  step_notes: z.string().max(maxPlanTextChars).optional().meta({ description: 'For mark_step.' }),
})
type Args = z.output<typeof input>

/** Names the one step that the model should work on. */
const hint: StepHint = (plan, isEdited) => {
  if (!isOpenPlan(plan)) return undefined
  const { current } = planProgress(plan)
  const edited = isEdited ? ' A person has changed it since your last step; follow it as it is now.' : ''
  return `This is your plan as it is now.${edited}\n${planText(plan, words)}\n\n${whatNext(plan, current)}`
}

function whatNext(plan: Plan, current: number): string {
  if (current >= 0)
    return `Step ${current} is in progress. When it is done, call plan with the command next; if it cannot be done, mark it as blocked and say why in its notes.`
  if (isAllClosed(plan))
    return 'All steps are closed. Call plan with the command finish, then give your answer.'
  const open = firstOpen(plan)
  if (plan.steps[open]?.status === 'blocked')
    return `Step ${open} is blocked. Find another way, change the plan with the command update, or tell the user what is lacking.`
  return `No step is in progress. Begin with step ${open}: call plan with the command next.`
}

export const planSteps = tool({
  name: 'plan',
  label: 'Plan of steps',
  keywords: ['plan', 'steps', 'todo', 'task', 'list'],
  description:
    'Keeps a plan for a task of several steps. Make a plan before you begin a task that needs more than two steps, keep one step in progress at a time, and finish the plan when the task is done.',
  icon: 'list-checks',
  // Nothing outside the run changes, so nobody is asked before a call.
  risk: 'read',
  changesRun: true,
  aliases: ['planning'],
  hint,
  input,
  run: (args, context) =>
    answerChange(
      context,
      (book) => changed(args, book),
      (plan) => answer(args, plan),
    ),
})

function changed(args: Args, book: PlanBook): Plan | string {
  const { command } = args
  if (command === 'create') return created(args, book)
  const plan = book.plan
  if (!isOpenPlan(plan)) {
    if (command !== 'finish') return `There is no plan to change. Make one with the command create.`
    return { id: nextPlanId(book), title: 'Empty plan', steps: [], ended: 'done' }
  }
  switch (command) {
    case 'update':
      return updated(args, plan)
    case 'mark_step':
      return marked(args, plan)
    case 'next':
      return stepped(plan)
    case 'finish':
      return { ...plan, ended: 'done', steps: plan.steps.map(completed) }
  }
  return command satisfies never
}

function created({ title, steps }: Args, book: PlanBook): Plan | string {
  if (isOpenPlan(book.plan))
    return `There is a plan already: "${book.plan.title}". Change it with the command update, or end it with finish.`
  if (!title?.trim()) return 'The command create needs a title.'
  if (steps === undefined || steps.length === 0) return 'The command create needs steps.'
  return { id: nextPlanId(book), title, steps: steps.map((text) => ({ text, status: 'todo' })) }
}

/** A step with the same text at the same place keeps its status and its notes. */
function updated({ title, steps }: Args, plan: Plan): Plan | string {
  if (title === undefined && steps === undefined) return 'The command update needs a title or steps.'
  return {
    ...plan,
    ...(title?.trim() && { title }),
    ...(steps && {
      steps: steps.map((text, index): PlanStep => {
        const before = plan.steps[index]
        return before?.text === text ? before : { text, status: 'todo' }
      }),
    }),
  }
}

function marked(
  { step_index: index, step_status: status, step_notes: note }: Args,
  plan: Plan,
): Plan | string {
  if (index === undefined) return 'The command mark_step needs step_index.'
  const wrong = outOfRange(plan, index)
  if (wrong !== undefined) return wrong
  if (status === undefined && note === undefined)
    return 'The command mark_step needs step_status or step_notes.'
  const known = status === undefined ? undefined : statuses[status]
  return withStep(plan, index, { ...(known && { status: known }), ...(note !== undefined && { note }) })
}

/** Completes the step in progress, if there is one, and starts the first one that is left to do. */
function stepped(plan: Plan): Plan | string {
  const { current } = planProgress(plan)
  const after = current < 0 ? plan : withStep(plan, current, { status: 'done' })
  const next = after.steps.findIndex(({ status }) => status === 'todo')
  if (next >= 0) return withStep(after, next, { status: 'in_progress' })
  return current < 0 ? 'No step is left to start.' : after
}

function completed(step: PlanStep): PlanStep {
  return isClosed(step) ? step : { ...step, status: 'done' }
}

function answer({ command, step_index: index }: Args, plan: Plan): string {
  const { done, total } = planProgress(plan)
  const said = {
    create: 'The plan is made.',
    update: 'The plan is changed.',
    mark_step: `Step ${index} is changed.`,
    next: done === total ? 'All steps are completed.' : 'The next step is in progress.',
    finish: 'The plan has ended.',
  }[command]
  return `${said}\n\n${planText(plan, words)}`
}
