/**
 * A small API to try the example "API caller" with: notes in memory, and the OpenAPI document that describes them.
 * Start it with `node examples/api/notes-api.mjs [port]`; without a port it uses 8787. It listens on 127.0.0.1 only.
 */
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'

const note = {
  type: 'object',
  required: ['id', 'title', 'text'],
  properties: {
    id: { type: 'integer', readOnly: true },
    title: { type: 'string', maxLength: 200, description: 'A few words.' },
    text: { type: 'string', maxLength: 10_000 },
    tag: { type: 'string', enum: ['home', 'work'] },
  },
}
const one = { $ref: '#/components/schemas/Note' }
const id = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The number of the note.',
  schema: { type: 'integer' },
}
const json = (schema) => ({ content: { 'application/json': { schema } } })

/** @param {string} address where the API is reached */
export function documentOf(address) {
  return {
    openapi: '3.0.3',
    info: { title: 'Notes', version: '1.0.0', description: 'Notes, as long as this program runs.' },
    servers: [{ url: address }],
    components: { schemas: { Note: note } },
    paths: {
      '/notes': {
        get: {
          operationId: 'listNotes',
          summary: 'Lists the notes, newest first.',
          tags: ['notes'],
          parameters: [
            {
              name: 'tag',
              in: 'query',
              description: 'Only notes with this tag.',
              schema: note.properties.tag,
            },
          ],
          responses: { 200: { description: 'The notes.', ...json({ type: 'array', items: one }) } },
        },
        post: {
          operationId: 'addNote',
          summary: 'Adds a note and returns it with its number.',
          tags: ['notes'],
          requestBody: { required: true, ...json(one) },
          responses: { 201: { description: 'The note.', ...json(one) } },
        },
      },
      '/notes/{id}': {
        parameters: [id],
        get: {
          operationId: 'getNote',
          summary: 'Returns one note.',
          tags: ['notes'],
          responses: {
            200: { description: 'The note.', ...json(one) },
            404: { description: 'There is no such note.' },
          },
        },
        delete: {
          operationId: 'deleteNote',
          summary: 'Deletes a note.',
          tags: ['notes'],
          responses: {
            204: { description: 'It is deleted.' },
            404: { description: 'There is no such note.' },
          },
        },
      },
    },
  }
}

/** @param {number} port 0 for a free one */
export function startNotes(port = 0) {
  const notes = [
    { id: 1, title: 'Shopping', text: 'Milk, bread and apples.', tag: 'home' },
    { id: 2, title: 'Meeting', text: 'Tuesday at ten, room 4.', tag: 'work' },
  ]
  let last = notes.length
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    const answer = (status, value) => {
      response.writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const [, place, number] = /^\/(notes|openapi\.json)(?:\/([^/]+))?$/.exec(pathname) ?? []
    const key = `${request.method} ${place}${number === undefined ? '' : '/id'}`
    const found = notes.find((each) => String(each.id) === number)
    if (key === 'GET openapi.json') return answer(200, documentOf(`http://${request.headers.host}`))
    if (key === 'GET notes') {
      const tag = searchParams.get('tag')
      return answer(200, notes.filter((each) => tag === null || each.tag === tag).toReversed())
    }
    if (key === 'POST notes') {
      const given = await bodyOf(request)
      if (typeof given?.title !== 'string' || typeof given.text !== 'string')
        return answer(422, { error: 'A note needs a title and a text.' })
      last += 1
      notes.push({ ...given, id: last })
      return answer(201, notes.at(-1))
    }
    if (place === 'notes' && number !== undefined && found === undefined)
      return answer(404, { error: `There is no note ${decodeURIComponent(number)}.` })
    if (key === 'GET notes/id') return answer(200, found)
    if (key === 'DELETE notes/id') {
      notes.splice(notes.indexOf(found), 1)
      return answer(204)
    }
    return answer(404, { error: 'There is nothing here.' })
  })
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() })
    })
  })
}

/** Undefined if the body is not JSON. */
async function bodyOf(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > 100_000) return undefined
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startNotes(Number(process.argv[2] ?? 8787))
  console.log(`The notes API is at ${url}. Its document is at ${url}/openapi.json.`)
}
