/** A plan as a notebook: subtasks with expected outcomes, and plans of the past, kept by one tool for each action. */
import { z } from 'zod'
import {
  isClosed,
  isOpenPlan,
  maxPlanTextChars,
  maxPlanTitleChars,
  mostPlanSteps,
  type Plan,
  type PlanBook,
  type PlanStep,
  planProgress,
} from '#lib/spec/plan'
import {
  type PlanChange,
  refuse,
  type StepHint,
  type Tool,
  type ToolDefinition,
  text,
  tool,
} from '#lib/spec/tool'
import {
  answerChange,
  firstOpen,
  isAllClosed,
  nextPlanId,
  noRun,
  outOfRange,
  planText,
  type StatusWords,
  stepText,
  withStep,
} from './plan-text'

const words: StatusWords = {
  todo: 'todo',
  in_progress: 'in_progress',
  done: 'done',
  blocked: 'blocked',
  abandoned: 'abandoned',
}

const title = z.string().min(1).max(maxPlanTitleChars)
const long = z.string().max(maxPlanTextChars)
const subtask = z.strictObject({
  name: title,
  description: long.optional(),
  expected_outcome: long.optional(),
})
const index = z.int().min(0).meta({ description: 'The subtask, counted from 0.' })

const hint: StepHint = (plan, isEdited) => {
  if (!isOpenPlan(plan)) return undefined
  const edited = isEdited ? ' A person has changed it since your last step; follow it as it is now.' : ''
  return `This is the current plan.${edited}\n${planText(plan, words)}\n\n${whatNext(plan)}`
}

function whatNext(plan: Plan): string {
  const { current } = planProgress(plan)
  if (current >= 0)
    return `Subtask ${current} is in progress. When it is done, call finish_subtask with its outcome; if it cannot be done, change the plan with revise_current_plan or update_subtask_state.`
  if (isAllClosed(plan))
    return 'All subtasks are closed. Call finish_plan with the outcome, then give your answer.'
  const open = firstOpen(plan)
  if (plan.steps[open]?.status === 'blocked')
    return `Subtask ${open} is blocked. Change the plan with revise_current_plan, or tell the user what is lacking.`
  return `No subtask is in progress. Begin with subtask ${open}: call update_subtask_state with the state in_progress.`
}

type Definition<S extends z.ZodObject> = Pick<
  ToolDefinition<S>,
  'name' | 'label' | 'description' | 'input' | 'run' | 'hint'
>

/** Nothing outside the run changes, so nobody is asked before a call. */
function notebookTool<S extends z.ZodObject>(definition: Definition<S>): Tool {
  const common = { keywords: ['plan', 'notebook', 'subtask'], icon: 'list-checks' }
  return tool({ ...common, risk: 'read', changesRun: true, ...definition })
}

/** A change of the plan that is worked on. */
const ofOpenPlan =
  (change: (plan: Plan) => Plan | string): PlanChange =>
  ({ plan }) =>
    isOpenPlan(plan) ? change(plan) : 'There is no current plan. Make one with create_plan.'

const said = (words: string) => (plan: Plan) => `${words}\n\n${shown(plan)}`
const shown = (plan: Plan) => planText(plan, words)

const createPlan = notebookTool({
  name: 'create_plan',
  label: 'Make a plan',
  description:
    'Makes a plan for a task of several steps. Subtasks are in the order in which they are to be done, each with what it is expected to bring. A plan that is still open is kept among the historical plans.',
  hint,
  input: z.object({
    name: title.meta({ description: 'A short name of the plan.' }),
    description: long.optional(),
    expected_outcome: long.optional(),
    subtasks: z.array(subtask).min(1).max(mostPlanSteps),
  }),
  run: ({ name, description, expected_outcome: expected, subtasks }, context) =>
    answerChange(
      context,
      (book) => ({
        id: nextPlanId(book),
        title: name,
        ...(description && { description }),
        ...(expected && { expected }),
        steps: subtasks.map(stepOf),
      }),
      said('The plan is made.'),
    ),
})

function stepOf({ name, description, expected_outcome: expected }: z.output<typeof subtask>): PlanStep {
  return { text: name, status: 'todo', ...(description && { description }), ...(expected && { expected }) }
}

const revisePlan = notebookTool({
  name: 'revise_current_plan',
  label: 'Revise the plan',
  description: 'Adds a subtask at a place of the current plan, replaces the subtask there, or deletes it.',
  input: z.object({
    subtask_idx: index,
    action: z.enum(['add', 'revise', 'delete']),
    subtask: subtask.optional().meta({ description: 'For add and revise.' }),
  }),
  run: ({ subtask_idx: at, action, subtask: given }, context) =>
    answerChange(
      context,
      ofOpenPlan((plan) => revised(plan, at, { action, given })),
      said('The plan is revised.'),
    ),
})

interface Revision {
  readonly action: 'add' | 'revise' | 'delete'
  readonly given: z.output<typeof subtask> | undefined
}

function revised(plan: Plan, at: number, { action, given }: Revision): Plan | string {
  const wrong = action === 'add' && at === plan.steps.length ? undefined : outOfRange(plan, at)
  if (wrong !== undefined) return wrong
  if (action === 'delete') return { ...plan, steps: plan.steps.toSpliced(at, 1) }
  if (given === undefined) return `The action ${action} needs a subtask.`
  const step = stepOf(given)
  const status = plan.steps[at]?.status ?? 'todo'
  if (action === 'revise') return { ...plan, steps: plan.steps.with(at, { ...step, status }) }
  if (plan.steps.length >= mostPlanSteps) return `A plan has at most ${mostPlanSteps} subtasks.`
  return { ...plan, steps: plan.steps.toSpliced(at, 0, step) }
}

const updateState = notebookTool({
  name: 'update_subtask_state',
  label: 'Set the state of a subtask',
  description:
    'Sets the state of a subtask. Only one subtask is in progress at a time, and only when those before it are closed. Use finish_subtask for one that is done.',
  input: z.object({ subtask_idx: index, state: z.enum(['todo', 'in_progress', 'blocked', 'abandoned']) }),
  run: ({ subtask_idx: at, state }, context) =>
    answerChange(
      context,
      ofOpenPlan((plan) => {
        const wrong = outOfRange(plan, at) ?? (state === 'in_progress' ? notStartable(plan, at) : undefined)
        return wrong ?? withStep(plan, at, { status: state })
      }),
      said(`Subtask ${at} is ${state}.`),
    ),
})

/** Why the step cannot be in progress now. */
function notStartable(plan: Plan, at: number): string | undefined {
  const { current } = planProgress(plan)
  if (current >= 0 && current !== at) return `Subtask ${current} is in progress. Finish or abandon it first.`
  return notClosedBefore(plan, at)
}

function notClosedBefore(plan: Plan, at: number): string | undefined {
  const open = firstOpen(plan)
  return open >= 0 && open < at ? `Subtask ${open} comes before it and is not closed yet.` : undefined
}

const finishSubtask = notebookTool({
  name: 'finish_subtask',
  label: 'Finish a subtask',
  description: 'Records what a subtask brought, marks it as done, and puts the one after it in progress.',
  input: z.object({
    subtask_idx: index,
    subtask_outcome: long.min(1).meta({ description: 'What it brought: facts, not that it is done.' }),
  }),
  run: ({ subtask_idx: at, subtask_outcome: outcome }, context) =>
    answerChange(
      context,
      ofOpenPlan((plan) => {
        const wrong = outOfRange(plan, at) ?? notClosedBefore(plan, at)
        if (wrong !== undefined) return wrong
        const after = withStep(plan, at, { status: 'done', outcome })
        const isNextFree = after.steps[at + 1]?.status === 'todo'
        return isNextFree ? withStep(after, at + 1, { status: 'in_progress' }) : after
      }),
      said(`Subtask ${at} is done.`),
    ),
})

const viewSubtasks = notebookTool({
  name: 'view_subtasks',
  label: 'Look at subtasks',
  description: 'Shows subtasks of the current plan in full.',
  input: z.object({ subtask_idx: z.array(z.int().min(0)).min(1).max(mostPlanSteps) }),
  async run({ subtask_idx: places }, { plan: desk }) {
    if (desk === undefined) return refuse(noRun, 'no_run')
    const { plan } = desk.read()
    if (!isOpenPlan(plan)) return refuse('There is no current plan.', 'plan')
    const wrong = places.map((at) => outOfRange(plan, at)).find((each) => each !== undefined)
    if (wrong !== undefined) return refuse(wrong, 'plan')
    const lines = places.flatMap((at) => {
      const step = plan.steps[at]
      return step === undefined ? [] : [stepText(step, at, words)]
    })
    return text(lines.join('\n'))
  },
})

const finishPlan = notebookTool({
  name: 'finish_plan',
  label: 'End the plan',
  description:
    'Ends the current plan: done, which needs every subtask to be closed, or abandoned, with the outcome or the reason.',
  input: z.object({ state: z.enum(['done', 'abandoned']), outcome: long.min(1) }),
  run: ({ state, outcome }, context) =>
    answerChange(
      context,
      ofOpenPlan((plan) => {
        const open = firstOpen(plan)
        if (state === 'done' && open >= 0) return `Subtask ${open} is not closed yet.`
        const steps = plan.steps.map((step) =>
          isClosed(step) ? step : { ...step, status: 'abandoned' as const },
        )
        return { ...plan, steps, ended: state, outcome }
      }),
      said(`The plan is ${state}.`),
    ),
})

const viewPlans = notebookTool({
  name: 'view_historical_plans',
  label: 'Look at past plans',
  description: 'Lists the earlier plans of this run, with their ids.',
  input: z.object({}),
  async run(_, { plan: desk }) {
    if (desk === undefined) return refuse(noRun, 'no_run')
    const plans = closedPlans(desk.read())
    if (plans.length === 0) return text('There are no historical plans.')
    return text(plans.map((plan) => `id: ${plan.id ?? 'none'}\n${shown(plan)}`).join('\n\n'))
  },
})

/** Every plan but the one that is worked on. */
function closedPlans({ plan, past }: PlanBook): Plan[] {
  return plan === undefined || isOpenPlan(plan) ? [...past] : [...past, plan]
}

const recoverPlan = notebookTool({
  name: 'recover_historical_plan',
  label: 'Take up a past plan',
  description:
    'Makes a historical plan the current one again. A plan that is still open is kept among the historical plans.',
  input: z.object({ plan_id: z.string().min(1).max(64) }),
  run: ({ plan_id: id }, context) =>
    answerChange(
      context,
      (book) => {
        const found = closedPlans(book).find((plan) => plan.id === id)
        if (found === undefined) return `There is no historical plan "${id}". See view_historical_plans.`
        const { ended: _ended, ...open } = found
        return open
      },
      said('The plan is the current one again.'),
    ),
})

export const planNotebook: readonly Tool[] = [
  createPlan,
  revisePlan,
  updateState,
  finishSubtask,
  viewSubtasks,
  finishPlan,
  viewPlans,
  recoverPlan,
]
