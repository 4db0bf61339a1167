/**
 * The context window of a model: counts the tokens of a request in a way of its own, which the product does not know.
 * Texts count by their kinds of characters, schemas by their bytes, pictures by their size.
 */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Wire } from './behaviour'
import { isObject, type Refusal } from './refusal'

/** Tokens that a service adds to each message. */
const perMessage = 3
/** The bytes of a schema in one token. */
const schemaBytes = 3
/** The bytes of a picture in one token, and the most tokens of one picture. */
const pictureBytes = 750
const mostOfPicture = 1_600
/** A longer run of letters and digits is no word, but encoded data. */
const longestWord = 24

export function windowTokens(wire: Wire, body: JsonObject): number {
  const { tools, system, instructions, messages, input } = body
  const schemas = tools === undefined ? 0 : Buffer.byteLength(JSON.stringify(tools)) / schemaBytes
  const said = wire === 'responses' ? input : messages
  const count = Array.isArray(said) ? said.length * perMessage : 0
  return Math.ceil(schemas + count + valueTokens(system) + valueTokens(instructions) + valueTokens(said))
}

/** How the service refuses a request of this size; undefined when it fits, or when there is no limit. */
export function overWindow(
  wire: Wire,
  tokens: number | undefined,
  window: number | undefined,
): Refusal | undefined {
  if (tokens === undefined || window === undefined || tokens <= window) return undefined
  return wire === 'anthropic'
    ? { message: `prompt is too long: ${tokens} tokens > ${window} maximum` }
    : {
        message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens.`,
        code: 'context_length_exceeded',
      }
}

function valueTokens(value: JsonValue | undefined): number {
  if (typeof value === 'string') return textTokens(value)
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + valueTokens(each), 0)
  if (!isObject(value)) return 0
  const picture = pictureIn(value)
  if (picture !== undefined) return Math.min(mostOfPicture, Math.ceil(picture.length / pictureBytes))
  return Object.entries(value).reduce((sum, [key, each]) => sum + (isMark(key) ? 0 : valueTokens(each)), 0)
}

/** Says which kind of block it is, or is for the service alone. */
function isMark(key: string): boolean {
  return key === 'type' || key === 'role' || key === 'cache_control'
}

function pictureIn({ type, source, image_url: url }: JsonObject): string | undefined {
  if (type === 'image' && isObject(source)) return String(source.data ?? source.url ?? '')
  if (type === 'input_image') return String(url ?? '')
  if (type === 'image_url' && isObject(url)) return String(url.url ?? '')
  return undefined
}

/** Words, data without spaces, Chinese and signs have different numbers of characters in a token. */
function textTokens(text: string): number {
  let tokens = 0
  let run = 0
  const endRun = () => {
    tokens += run > longestWord ? run / 2.2 : run / 5
    run = 0
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (isLetterOrDigit(unit)) {
      run += 1
      continue
    }
    endRun()
    if (unit > 127) tokens += 0.8
    else if (unit !== 32) tokens += 0.5
  }
  endRun()
  return tokens
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}
