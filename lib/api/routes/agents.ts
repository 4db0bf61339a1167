/** Agents: create, save, publish, import and export them, and begin runs. */
import * as wire from '#lib/wire/agents'
import { dryRun, dryRunRequest } from '#lib/wire/dry-run'
import { emptyBody } from '#lib/wire/empty'
import { insights, insightsQuery } from '#lib/wire/insights'
import { createdRun, createRun, steeredRun } from '#lib/wire/runs'
import { renderingsRequest, toolRenderings } from '#lib/wire/tool-renderings'
import { events, jsonFile, nothing, reply, row } from '../row'
import { tooManyStreams, wantsStream } from '../stream'

export const beginRun = row('POST /api/agents/{id}/runs', {
  does: 'Starts a run. If another run of its thread is under way, `whenBusy` says whether this one is refused, waits for it, or becomes a message to it.',
  body: createRun,
  example: { input: 'How are you?' },
  gives: { 200: events(), 201: createdRun, 202: steeredRun },
  keys: { uses: ['chat', 'api'], reach: 'agent' },
  handle: async ({ app, params, body, request, key }) => {
    const streams = wantsStream(request, false)
    // Checked before the run is created: a refusal must leave nothing behind.
    if (streams && !app.streams.hasRoom()) throw tooManyStreams()
    const asked = { ...body, agentId: params.id }
    const steer = () => (key === undefined ? app.runs.steer(asked) : app.keyRuns.steer(key, body))
    const create = () => (key === undefined ? app.runs.create(asked) : app.keyRuns.begin(key, body))
    const steered = body.whenBusy === 'steer' ? await steer() : undefined
    const { id, threadId, status, seq, behind } = steered ?? create()
    if (streams) return reply(200, { runId: id, after: steered === undefined ? 0 : seq })
    if (steered !== undefined) return reply(202, { id, threadId, status, steered: true })
    return reply(201, { id, threadId, status, ...(behind && { behind }) })
  },
})

export const agents = [
  row('GET /api/agents', {
    does: 'Lists the agents by name.',
    gives: { 200: wire.agentList },
    handle: ({ app }) => app.agents.list(),
  }),
  row('POST /api/agents', {
    does: 'Creates an agent from a drawing or a config.',
    body: wire.createAgent,
    example: { config: { name: 'greeter', instructions: 'Greet the user.' } },
    gives: { 201: wire.agentView },
    handle: ({ app, body }) => app.agents.create(body),
  }),
  row('POST /api/agents/import', {
    does: 'Creates an agent from an exported file, and lists what this server lacks to run it.',
    query: wire.importQuery,
    body: wire.agentFile,
    example: { name: 'greeter', instructions: 'Greet the user.' },
    gives: { 201: wire.importedAgent },
    handle: ({ app, query, body }) => app.agents.importFile(body, { rename: query.rename === '1' }),
  }),
  row('GET /api/agents/{id}', {
    does: 'Returns one agent.',
    gives: { 200: wire.agentView },
    handle: ({ app, params }) => app.agents.get(params.id),
  }),
  row('PUT /api/agents/{id}', {
    does: 'Saves an agent over the revision that the caller last read. If that revision is outdated, the request is rejected with the stored agent.',
    body: wire.saveAgent,
    example: { revision: 1, config: { name: 'greeter', instructions: 'Be brief.' } },
    gives: { 200: wire.agentView },
    handle: ({ app, params, body }) => app.agents.save(params.id, body),
  }),
  row('DELETE /api/agents/{id}', {
    does: 'Deletes an agent. It can be restored for thirty days.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.agents.remove(params.id),
  }),
  row('POST /api/agents/{id}/restore', {
    does: 'Restores a deleted agent.',
    body: emptyBody,
    mayBeEmpty: true,
    gives: { 200: wire.agentView },
    handle: ({ app, params }) => app.agents.bringBack(params.id),
  }),
  row('POST /api/agents/{id}/duplicate', {
    does: 'Copies an agent under the next free name.',
    body: emptyBody,
    mayBeEmpty: true,
    gives: { 201: wire.agentView },
    handle: ({ app, params }) => app.agents.duplicate(params.id),
  }),
  row('POST /api/agents/{id}/dry-run', {
    does: 'Checks a call against the policies of the agent, in the order of a run, and returns what would happen. Nothing runs.',
    body: dryRunRequest,
    example: { tool: 'math.calculate', args: { expression: '6*7' } },
    gives: { 200: dryRun },
    handle: ({ app, params, body }) => app.dryRun(params.id, body),
  }),
  row('GET /api/agents/{id}/tools', {
    does: 'Returns the tools that the agent offers, each as every format and every service writes it for a model.',
    gives: { 200: toolRenderings },
    handle: ({ app, params }) => app.toolRenderings(params.id),
  }),
  row('POST /api/agents/{id}/tools', {
    does: 'Returns the same for a drawing of the agent that is not saved. Nothing is stored.',
    body: renderingsRequest,
    gives: { 200: toolRenderings },
    handle: ({ app, params, body }) => app.toolRenderings(params.id, body.graph),
  }),
  row('GET /api/agents/{id}/export', {
    does: 'Returns the agent’s config as a file. The same config always has the same bytes.',
    gives: { 200: jsonFile(wire.agentFile) },
    handle: ({ app, params }) => app.agents.exported(params.id),
  }),
  row('GET /api/agents/{id}/insights', {
    does: 'Returns the figures of the agent’s runs by day: runs, errors, cost, latency, ratings, and the tools that fail most.',
    query: insightsQuery,
    gives: { 200: insights },
    handle: ({ app, params, query }) => app.insights(params.id, query),
  }),
  row('GET /api/agents/{id}/versions', {
    does: 'Lists the published versions, newest first.',
    gives: { 200: wire.versionList },
    handle: ({ app, params }) => app.agents.versions(params.id),
  }),
  row('POST /api/agents/{id}/versions', {
    does: 'Publishes the draft as the next version.',
    body: wire.atRevision,
    mayBeEmpty: true,
    gives: { 201: wire.versionView },
    handle: ({ app, params, body }) => app.agents.publish(params.id, body),
  }),
  row('POST /api/agents/{id}/versions/{version}/restore', {
    does: 'Replaces the draft with a published version.',
    numbers: { version: 'There is no such version.' },
    body: wire.atRevision,
    mayBeEmpty: true,
    gives: { 200: wire.agentView },
    handle: ({ app, params, body }) => app.agents.restore(params.id, params.version, body),
  }),
  beginRun,
  row('GET /api/templates', {
    does: 'Lists templates for new agents.',
    gives: { 200: wire.templateList },
    handle: ({ app }) => app.templates,
  }),
] as const
