/** Pictures in a dialogue: which files a model can be shown, and what they cost of its window. */
import { z } from 'zod'

/** The kinds of pictures that the providers take. */
export const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

export const pictureSize = z.strictObject({ width: z.int().positive(), height: z.int().positive() })
export type PictureSize = z.infer<typeof pictureSize>

/** A picture that a message shows. `artifact` is the id of the stored file. */
export const picture = z.strictObject({
  artifact: z.string(),
  name: z.string(),
  mediaType: z.enum(pictureTypes),
  bytes: z.int().nonnegative(),
  ...pictureSize.shape,
})

export type Picture = z.infer<typeof picture> & {
  /** The file in base64. Present in requests alone, since the artifact keeps it. */
  readonly data?: string
}

/** A kept file, as far as it matters here. */
interface File {
  readonly id: string
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly picture?: PictureSize | undefined
}

/** The largest file that all providers take: 5 MiB as base64. */
export const maxPictureBytes = 3_932_160
/** The longest side that all providers take, in pixels. */
const maxSide = 8_000

/** The picture in a file; undefined for a file that is none, or that is too large for the providers. */
export function pictureOf({ id, name, mediaType, bytes, picture: size }: File): Picture | undefined {
  const type = typeOf(mediaType)
  if (type === undefined || size === undefined || !fits(bytes, size)) return undefined
  return { artifact: id, name, mediaType: type, bytes, ...size }
}

/** Whether a file is a picture of a kind that models see, but too large for the providers. */
export function isTooLargeToSee(file: Pick<File, 'mediaType' | 'bytes' | 'picture'>): boolean {
  if (typeOf(file.mediaType) === undefined) return false
  return file.bytes > maxPictureBytes || (file.picture !== undefined && !fits(file.bytes, file.picture))
}

function typeOf(mediaType: string) {
  return pictureTypes.find((each) => each === mediaType)
}

function fits(bytes: number, { width, height }: PictureSize): boolean {
  return bytes <= maxPictureBytes && Math.max(width, height) <= maxSide
}

/** Providers scale larger pictures down to this many pixels on the longer side. */
const shownSide = 1_568
const pixelsPerToken = 750
const leastTokens = 85

/** By our own estimate: the providers count by size, each in a way of its own. */
export function pictureTokens({ width, height }: PictureSize): number {
  const scale = Math.min(1, shownSide / Math.max(width, height))
  return Math.max(leastTokens, Math.ceil((width * scale * height * scale) / pixelsPerToken))
}
