/** Skills: those that agents may use, with their files. */
import * as wire from '#lib/wire/skills'
import { bytes, nothing, row } from '../row'

export const skills = [
  row('GET /api/skills', {
    does: 'Lists the skills of this server.',
    gives: { 200: wire.skillList },
    handle: ({ app }) => app.skills.list(),
  }),
  row('POST /api/skills', {
    does: 'Imports a skill from a ZIP archive of its folder, or replaces the one of this name. Agents that use the version before have the skill off until a person has looked at the changes.',
    query: wire.importSkillQuery,
    body: bytes,
    gives: { 200: wire.importedSkill },
    handle: ({ app, query, body, request }) =>
      app.skills.import({ content: body, replaces: query.replaces }, request.signal),
  }),
  row('POST /api/skills/preview', {
    does: 'Reads a ZIP archive of a skill and says what importing it would change; nothing is stored.',
    body: bytes,
    gives: { 200: wire.skillPreview },
    handle: ({ app, body, request }) => app.skills.preview(body, request.signal),
  }),
  row('GET /api/skills/{name}', {
    does: 'Returns a skill with the list of its files.',
    gives: { 200: wire.skillDetail },
    handle: ({ app, params }) => app.skills.get(params.name),
  }),
  row('DELETE /api/skills/{name}', {
    does: 'Removes a skill with all its versions. Agents that use it run without it.',
    gives: { 204: nothing },
    handle: ({ app, params }) => app.skills.remove(params.name),
  }),
  row('GET /api/skills/{name}/file', {
    does: 'Returns the text of one file of a skill, of the version that is used now or of a kept one.',
    query: wire.skillFileQuery,
    gives: { 200: wire.skillText },
    handle: ({ app, params, query }) => app.skills.text(params.name, query.path, query.hash),
  }),
  row('GET /api/skills/{name}/changes', {
    does: 'Compares the files of a skill with those of an earlier version.',
    query: wire.skillChangesQuery,
    gives: { 200: wire.skillChanges },
    handle: ({ app, params, query }) => app.skills.changes(params.name, query.from),
  }),
  row('GET /api/skills/{name}/archive', {
    does: 'Downloads a skill as a ZIP archive, each file byte for byte as it was imported.',
    gives: { 200: bytes },
    handle: ({ app, params }) => app.skills.archive(params.name),
  }),
] as const
