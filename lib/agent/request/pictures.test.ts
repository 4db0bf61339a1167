import { describe, expect, test } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import type { Message } from '#lib/spec/message'
import { maxPictureBytes, type Picture, pictureOf, pictureTokens } from '#lib/spec/picture'
import { closedPorts } from '#lib/spec/ports.fixture'
import { calls, collect, createRig, createTool, fresh, replay, text } from '../rig.fixture'
import { loadPictures, pictureFiller, pictureView, shownPictures } from './pictures'
import { request, requestPictures } from './rerequest'
import { tokensOf } from './window'

const photo: Artifact = {
  id: 'art_1',
  name: 'photo.png',
  path: 'uploads/photo.png',
  mediaType: 'image/png',
  bytes: 900,
  picture: { width: 1_500, height: 1_000 },
}
const picture = (artifact: string, bytes = 900): Picture => ({
  artifact,
  name: `${artifact}.png`,
  mediaType: 'image/png',
  bytes,
  width: 10,
  height: 10,
})
const said = (...pictures: Picture[]): Message => ({ role: 'user', text: 'Look.', pictures })
const result = (callId: string, ...pictures: Picture[]): Message => ({
  role: 'tool',
  callId,
  name: 'view',
  text: 'shown',
  isError: false,
  pictures,
})

/** A model that sees pictures or not, with the files of `kept`. */
function rig(
  seesPictures: boolean,
  play: Parameters<typeof createRig>[0]['play'],
  tools = [createTool('view')],
) {
  const read: string[] = []
  const made = createRig({
    play,
    tools,
    deps: {
      ports: {
        ...closedPorts,
        artifacts: {
          keep: async () => undefined,
          readBase64: async (id) => {
            read.push(id)
            return id === 'gone' ? undefined : `data of ${id}`
          },
        },
      },
    },
  })
  return { ...made, read, deps: { ...made.deps, model: { ...made.model, seesPictures } } }
}

describe('a picture given with a question', () => {
  test('E-46 goes to a model that sees pictures, and the request is rebuilt with the same bytes', async () => {
    const { deps, model } = rig(true, [text('A cat.')])
    const events = await collect(deps, { state: fresh({ files: [photo] }) })
    const [sent] = model.requests
    expect(sent?.messages).toMatchObject([
      { role: 'user', pictures: [{ artifact: 'art_1', name: 'photo.png', data: 'data of art_1' }] },
    ])
    const state = replay(events, { files: [photo] })
    const files = await loadPictures(requestPictures(state, deps, 1), deps.ports.artifacts)
    expect(request(state, deps, 1, files)?.body).toBe(sent?.body)
  })

  test('E-46 is left out with a note for a model that does not see pictures', async () => {
    const { deps, model, read } = rig(false, [text('I cannot see it.')])
    await collect(deps, { state: fresh({ files: [photo] }) })
    expect(model.requests[0]?.messages).toEqual([
      {
        role: 'user',
        text: expect.stringMatching(
          /\[The picture photo\.png is left out, since this model does not see pictures\.\]$/,
        ),
      },
    ])
    expect(read).toEqual([])
  })

  test('is a plain file where its size is not known, as in runs of earlier versions', async () => {
    const { picture: _, ...plain } = photo
    const { deps, model } = rig(true, [text('ok')])
    await collect(deps, { state: fresh({ files: [plain] }) })
    expect(Object.keys(model.requests[0]?.messages[0] ?? {})).toEqual(['role', 'text'])
  })

  test('whose file is gone is named as left out', async () => {
    const { deps, model } = rig(true, [text('ok')])
    await collect(deps, { state: fresh({ files: [{ ...photo, id: 'gone' }] }) })
    expect(model.requests[0]?.messages).toMatchObject([
      { text: expect.stringContaining('photo.png is left out') },
    ])
    expect(model.requests[0]?.messages[0]).not.toHaveProperty('pictures')
  })
})

describe('a picture in the result of a call', () => {
  const shown = createTool('view', {
    run: async () => ({
      ok: true,
      blocks: [{ type: 'image', artifact: 'art_9', picture: picture('art_9') }],
    }),
  })

  test('E-46 follows all results of the answer, in a message of the user', async () => {
    const { deps, model } = rig(true, [calls('view', 'view'), text('Done.')], [shown])
    await collect(deps)
    const [, second] = model.requests
    expect(second?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
    expect(second?.messages.at(-1)).toMatchObject({
      text: '[These are the pictures in the results above: art_9.png, art_9.png.]',
      pictures: [{ data: 'data of art_9' }, { data: 'data of art_9' }],
    })
  })

  test('E-46 stays a line of text for a model that does not see pictures', async () => {
    const { deps, model } = rig(false, [calls('view'), text('Done.')], [shown])
    await collect(deps)
    expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: '[image art_9]' })
  })
})

describe('pictures of a request', () => {
  test('are shown after the results of each answer, by the same objects each time', () => {
    const view = pictureView(true)
    const messages = [
      said(),
      result('a', picture('1')),
      result('b'),
      said(picture('2')),
      result('c', picture('3')),
    ]
    const first = view(messages)
    expect(first.map(({ role }) => role)).toEqual(['user', 'tool', 'tool', 'user', 'user', 'tool', 'user'])
    for (const [at, message] of view(messages).entries()) expect(message).toBe(first[at])
  })

  test('are the newest that fit, and the others are named', () => {
    const many = Array.from({ length: 25 }, (_, n) => said(picture(`p${n}`)))
    expect(shownPictures(many).map(({ artifact }) => artifact)).toEqual(
      Array.from({ length: 20 }, (_, n) => `p${n + 5}`),
    )
    const large = [said(picture('old', 12_000_000)), said(picture('new', 12_000_000))]
    expect(shownPictures(large).map(({ artifact }) => artifact)).toEqual(['new'])
    const [old, fresh] = pictureFiller()(
      large,
      new Map([
        ['new', 'x'],
        ['old', 'y'],
      ]),
    )
    expect(old).toEqual({ role: 'user', text: expect.stringContaining('The picture old.png is left out') })
    expect(fresh).toMatchObject({ pictures: [{ data: 'x' }] })
  })

  test('leave messages of text alone as they are', () => {
    const messages: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [] },
    ]
    for (const sees of [true, false]) expect(pictureView(sees)(messages)).toEqual(messages)
    expect(pictureFiller()(messages, new Map())).toBe(messages)
  })
})

describe('a picture counts', () => {
  test('by its size, as providers scale it, and never nothing', () => {
    expect(pictureTokens({ width: 750, height: 100 })).toBe(100)
    expect(pictureTokens({ width: 1, height: 1 })).toBe(85)
    expect(pictureTokens({ width: 6_000, height: 6_000 })).toBe(
      pictureTokens({ width: 1_568, height: 1_568 }),
    )
    expect(tokensOf(said(picture('a'))) - tokensOf({ role: 'user', text: 'Look.' })).toBe(85)
  })

  test('only if providers take it: one of their kinds, not too large', () => {
    expect(pictureOf(photo)).toMatchObject({ artifact: 'art_1' })
    expect(pictureOf({ ...photo, mediaType: 'image/svg+xml' })).toBeUndefined()
    expect(pictureOf({ ...photo, bytes: maxPictureBytes + 1 })).toBeUndefined()
    expect(pictureOf({ ...photo, picture: { width: 8_001, height: 1 } })).toBeUndefined()
  })
})
