/** Decides which pictures of a dialogue a request shows, and loads their files. */
import type { Message } from '#lib/spec/message'
import { type Picture, pictureTokens } from '#lib/spec/picture'
import type { ArtifactsPort } from '#lib/spec/sandbox'

type UserMessage = Extract<Message, { role: 'user' }>

/** The files of pictures in base64, by artifact. */
export type PictureData = ReadonlyMap<string, string>

/** The most pictures of one request, and the most bytes of their files: the newest are shown. */
const maxPictures = 20
const maxBytes = 16 * 1024 * 1024

/**
 * Messages for a model that sees pictures: those in the results of calls are shown in a message after all results
 * of the answer, since not every provider takes pictures inside a result. For other models a note takes the place
 * of the pictures. The same message gives the same object each time.
 */
export function pictureView(seesPictures: boolean): (messages: readonly Message[]) => Message[] {
  const noted = new WeakMap<Message, Message>()
  const promoted = new WeakMap<Message, UserMessage>()
  if (seesPictures) return (messages) => withPromoted(messages, promoted)
  return (messages) =>
    messages.map((message) => (hasPictures(message) ? once(noted, message, withoutPictures) : message))
}

/** The messages of earlier runs show only what a person gave. */
export function withoutResultPictures(messages: readonly Message[]): Message[] {
  return messages.map((message) => {
    if (message.role !== 'tool' || message.pictures === undefined) return message
    const { pictures: _, ...result } = message
    return result
  })
}

function once<T extends Message>(
  known: WeakMap<Message, T>,
  message: UserMessage,
  make: (message: UserMessage) => T,
): T {
  const found = known.get(message) ?? make(message)
  known.set(message, found)
  return found
}

function hasPictures(message: Message): message is UserMessage & { pictures: readonly Picture[] } {
  return message.role === 'user' && message.pictures !== undefined && message.pictures.length > 0
}

function withoutPictures({ text, pictures = [] }: UserMessage): Message {
  return { role: 'user', text: `${text}\n\n${leftOut(pictures, 'this model does not see pictures')}` }
}

function leftOut(pictures: readonly Picture[], why: string): string {
  const names = pictures.map(({ name }) => name).join(', ')
  return pictures.length === 1
    ? `[The picture ${names} is left out, since ${why}.]`
    : `[The pictures ${names} are left out, since ${why}.]`
}

function withPromoted(messages: readonly Message[], known: WeakMap<Message, UserMessage>): Message[] {
  const shown: Message[] = []
  let last: Message | undefined
  let pictures: Picture[] = []
  const show = () => {
    if (last === undefined || pictures.length === 0) return
    const message = known.get(last) ?? promotedMessage(pictures)
    known.set(last, message)
    shown.push(message)
    pictures = []
  }
  for (const message of messages) {
    if (message.role !== 'tool') show()
    else {
      last = message
      pictures.push(...(message.pictures ?? []))
    }
    shown.push(message)
  }
  show()
  return shown
}

function promotedMessage(pictures: Picture[]): UserMessage {
  const names = pictures.map(({ name }) => name).join(', ')
  const are = pictures.length === 1 ? 'This is the picture' : 'These are the pictures'
  return { role: 'user', text: `[${are} in the results above: ${names}.]`, pictures }
}

/** The newest pictures that one request may show, in the order of the dialogue. */
export function shownPictures(messages: readonly Message[]): Picture[] {
  const newestFirst: Picture[] = []
  let bytes = 0
  for (const message of messages.toReversed()) {
    if (!hasPictures(message)) continue
    for (const picture of message.pictures.toReversed()) {
      bytes += picture.bytes
      if (newestFirst.length === maxPictures || bytes > maxBytes) return newestFirst.toReversed()
      newestFirst.push(picture)
    }
  }
  return newestFirst.toReversed()
}

/** Reads the files of these pictures; one that is gone is absent. */
export async function loadPictures(
  pictures: readonly Picture[],
  artifacts: ArtifactsPort,
): Promise<Map<string, string>> {
  const data = new Map<string, string>()
  for (const { artifact, bytes } of pictures) {
    const file = data.has(artifact) ? undefined : await artifacts.readBase64?.(artifact, bytes)
    if (file !== undefined) data.set(artifact, file)
  }
  return data
}

/** Adds the files to the messages of one request, and notes which pictures it leaves out. */
export function pictureFiller(): (messages: readonly Message[], data: PictureData) => readonly Message[] {
  const known = new WeakMap<Message, { readonly shown: string; readonly message: Message }>()
  return (messages, data) => {
    if (!messages.some(hasPictures)) return messages
    const shown = new Set(shownPictures(messages))
    return messages.map((message) => {
      if (!hasPictures(message)) return message
      const given = message.pictures.filter((each) => shown.has(each) && data.has(each.artifact))
      const key = given.map(({ artifact }) => artifact).join()
      const before = known.get(message)
      if (before?.shown === key) return before.message
      const filled = filledMessage(message, given, data)
      known.set(message, { shown: key, message: filled })
      return filled
    })
  }
}

function filledMessage(
  { text, pictures = [] }: UserMessage,
  given: readonly Picture[],
  data: PictureData,
): Message {
  const missing = pictures.filter((each) => !given.includes(each))
  const words =
    missing.length === 0
      ? text
      : `${text}\n\n${leftOut(missing, 'a request shows only the newest that it can hold')}`
  if (given.length === 0) return { role: 'user', text: words }
  const filled = given.map((each) => ({ ...each, data: data.get(each.artifact) ?? '' }))
  return { role: 'user', text: words, pictures: filled }
}

/** How many characters of a body are pictures, and the tokens that they stand for. */
export function pictureWeight(
  messages: readonly Message[],
): { readonly chars: number; readonly tokens: number } | undefined {
  let chars = 0
  let tokens = 0
  for (const message of messages) {
    if (!hasPictures(message)) continue
    for (const picture of message.pictures) {
      chars += picture.data?.length ?? 0
      tokens += pictureTokens(picture)
    }
  }
  return tokens === 0 ? undefined : { chars, tokens }
}
