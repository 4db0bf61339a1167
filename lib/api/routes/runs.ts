/** Runs: list, watch, cancel and fork them, and decide calls that wait for a person. */

import type { AgentKeyRow } from '#lib/spec/agent-key'
import { feedback } from '#lib/spec/feedback'
import { callOfAddress } from '#lib/wire/call-address'
import { emptyBody } from '#lib/wire/empty'
import { editPlan, heldPlan } from '#lib/wire/plan'
import * as wire from '#lib/wire/runs'
import { events, nothing, reply, row } from '../row'
import { readPosition, wantsStream } from '../stream'

/** For the holder of a key, a run is shown without its config: how the agent is built stays with the operator. */
function viewFor(key: AgentKeyRow | undefined, view: wire.RunView): wire.RunView {
  return key === undefined ? view : { ...view, config: {}, origins: {} }
}

export const watchRun = row('GET /api/runs/{id}/events', {
  does: 'Streams the events of a run as they happen, or returns all events so far as JSON.',
  gives: { 200: events(wire.eventList), 204: nothing },
  keys: { uses: ['chat', 'api'], reach: 'run' },
  handle: ({ app, params, request, url }) => {
    const { id: runId, seq, finishedAt } = app.runs.get(params.id)
    if (!wantsStream(request, true)) return reply(200, { runId, as: 'json' })
    const header = request.headers.get('last-event-id')
    const after = readPosition({ runId, header, query: url.searchParams.get('after'), seq })
    if (finishedAt !== null && after === seq) return reply(204, undefined)
    return reply(200, { runId, after })
  },
})

export const runs = [
  row('GET /api/runs', {
    does: 'Lists runs that match every given filter, newest first unless another order is given.',
    query: wire.runQuery,
    gives: { 200: wire.runList },
    handle: ({ app, query: { agent, thread, failed, with: more, ...rest } }) => {
      const filter = { ...rest, agentId: agent, threadId: thread, failed: failed === '1' }
      return app.runs.list(filter, { hasFailures: more === 'failures' })
    },
  }),
  row('GET /api/runs/choices', {
    does: 'Returns the models and tools by which the list of runs can be filtered.',
    gives: { 200: wire.runChoices },
    handle: ({ app }) => app.runChoices(),
  }),
  row('POST /api/runs/delete', {
    does: 'Deletes runs. Runs that are not finished stay, and so do forks and later runs of the same thread. The deletion can be undone for ten seconds.',
    body: wire.manyRuns,
    example: { ids: ['run_1', 'run_2'] },
    gives: { 200: wire.deletedRuns },
    handle: ({ app, body }) => app.removals.remove(body.ids),
  }),
  row('POST /api/runs/restore', {
    does: 'Restores runs that were deleted in the last ten seconds.',
    body: wire.manyRuns,
    example: { ids: ['run_1', 'run_2'] },
    gives: { 200: wire.restoredRuns },
    handle: ({ app, body }) => app.removals.restore(body.ids),
  }),
  row('GET /api/runs/{id}', {
    does: 'Returns one run with the config it started from; if asked for, also with its messages.',
    query: wire.runViewQuery,
    gives: { 200: wire.runView },
    keys: { uses: ['chat', 'api'], reach: 'run' },
    handle: ({ app, params, query, key }) => {
      const view = viewFor(key, app.runs.get(params.id))
      return query.messages === '1' ? { ...view, messages: app.runs.messages(params.id) } : view
    },
  }),
  row('POST /api/runs/{id}/withdraw', {
    does: 'Deletes a run that waits for its thread, as if it had not been sent. A run that has begun is rejected: cancel it, or delete it when it has ended.',
    body: emptyBody,
    mayBeEmpty: true,
    gives: { 204: nothing },
    keys: { uses: ['chat', 'api'], reach: 'run' },
    handle: ({ app, params }) => app.runs.removeBehind(params.id),
  }),
  row('PUT /api/runs/{id}/feedback', {
    does: 'Rates the answer of a finished run, and says what was good or wrong.',
    body: wire.giveFeedback,
    example: { rating: 'down', text: 'It counted cancelled orders.' },
    gives: { 200: feedback },
    keys: { uses: ['chat'], reach: 'run' },
    handle: ({ app, params, body }) => app.runs.rate(params.id, body),
  }),
  row('DELETE /api/runs/{id}/feedback', {
    does: 'Removes the rating of a run.',
    gives: { 204: nothing },
    keys: { uses: ['chat'], reach: 'run' },
    handle: ({ app, params }) => app.runs.unrate(params.id),
  }),
  watchRun,
  row('GET /api/runs/{id}/requests/{step}', {
    does: 'Returns the model request of a step: its exact body, what it consists of, and where it was sent.',
    numbers: { step: 'There is no such step.' },
    query: wire.stepQuery,
    gives: { 200: wire.stepRequest },
    handle: ({ app, params, query: { parent } }) =>
      app.runs.request(params.id, params.step, parent === undefined ? undefined : callOfAddress(parent)),
  }),
  row('POST /api/runs/{id}/cancel', {
    does: 'Cancels a run.',
    body: emptyBody,
    mayBeEmpty: true,
    gives: { 200: wire.runView },
    keys: { uses: ['chat', 'api'], reach: 'run' },
    handle: ({ app, params, key }) => viewFor(key, app.runs.cancel(params.id)),
  }),
  row('POST /api/runs/{id}/fork', {
    does: 'Forks a run: starts a new run that continues from a step of this one, with the given change. This run does not change.',
    body: wire.forkRun,
    example: { step: 1, edit: { prompt: 'How are you today?' } },
    gives: { 201: wire.createdRun },
    handle: async ({ app, params, body }) => {
      const { id, threadId, status } = await app.runs.fork(params.id, body)
      return { id, threadId, status }
    },
  }),
  row('GET /api/runs/{id}/branches', {
    does: 'Returns the tree of forks that the run belongs to.',
    gives: { 200: wire.branchList },
    handle: ({ app, params }) => app.runs.branches(params.id),
  }),
  row('PUT /api/runs/{id}/plan', {
    does: 'Changes the plan of a run that is under way. The model reads it from its next step on. Answers `stale_revision` with the present plan when it has changed since `revision`.',
    body: editPlan,
    example: { revision: 1, plan: { title: 'Count', steps: [{ text: 'Read', status: 'done' }] } },
    gives: { 200: heldPlan },
    handle: ({ app, params, body }) => app.runs.editPlan(params.id, body),
  }),
  row('POST /api/runs/{id}/approvals/{callId}', {
    does: 'Approves or rejects a call that waits for a person.',
    body: wire.decideCall,
    example: { decision: 'approve' },
    gives: { 200: wire.runView },
    handle: ({ app, params, body }) => app.runs.decide(params.id, callOfAddress(params.callId), body),
  }),
  row('POST /api/runs/{id}/replies/{callId}', {
    does: 'Replies to a question of a call, or declines it.',
    body: wire.giveReply,
    example: { text: 'Lisbon' },
    gives: { 200: wire.runView },
    keys: { uses: ['chat', 'api'], reach: 'run' },
    handle: async ({ app, params, body, key }) =>
      viewFor(key, await app.runs.reply(params.id, callOfAddress(params.callId), body)),
  }),
] as const
