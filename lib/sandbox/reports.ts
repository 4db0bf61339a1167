/** Makes reports: a child process behind a wall reads the markdown, and pictures of the workspace are put into the page. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { tryParseJson } from '#lib/spec/json'
import type { ReportAnswer, ReportFault, ReportPort, ReportRequest } from '#lib/spec/report'
import type { FilesPort } from '#lib/spec/sandbox'
import { pictureTypeOf } from './document'
import { escapeHtml, reportPage } from './report-page'
import { type ReportAsk, type ReportSaid, reportLimits } from './report-wire'
import { type WalledFault, WalledProgram, walledCodes } from './walled-answer'
import { readWhole } from './whole-file'

const { milliseconds, heapMiB, pictures: mostPictures, pictureBytes } = reportLimits
const program = new WalledProgram({
  program: 'report-child',
  heapMiB,
  milliseconds,
  maxOutputBytes: 32 * 1024 * 1024,
})

export const reports: ReportPort = { make: (request, signal) => makeReport(request, signal) }

/** Never throws. */
export async function makeReport(
  { title, markdown, files, inLine }: ReportRequest,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<ReportAnswer> {
  const mark = `picture-${randomBytes(16).toString('hex')}-`
  const ask: ReportAsk = { markdown, mark }
  const input = async () => JSON.stringify(ask)
  const answer = await program.ask<never>({ input, timeoutMs, inLine }, signal)
  if (!answer.ok) return refusal(codes[answer.fault], sentences[answer.fault])
  const read = said.safeParse(tryParseJson(answer.output.toString('utf8'))).data
  if (read === undefined) return refusal('too_large', sentences.broken)
  if (read.pictures.length > mostPictures)
    return refusal(
      'too_large',
      `A report has at most ${mostPictures} pictures; this one has ${read.pictures.length}.`,
    )
  const embedded = await embed(read.pictures, files)
  if ('ok' in embedded) return embedded
  const heading = read.heading === null ? `<h1>${escapeHtml(title)}</h1>\n` : ''
  const body = heading + withPictures(read.html, mark, embedded.addresses)
  const html = reportPage({ title, body })
  return { ok: true, value: { html, pictures: embedded.paths, warnings: read.warnings, wall: answer.wall } }
}

type Refusal = Extract<ReportAnswer, { ok: false }>

/** The pictures as addresses that hold them; each file is read once. */
async function embed(
  pictures: readonly string[],
  files: Pick<FilesPort, 'open'>,
): Promise<{ addresses: string[]; paths: string[] } | Refusal> {
  const known = new Map<string, string>()
  const addresses: string[] = []
  let bytes = 0
  for (const src of pictures) {
    const path = pathOf(src)
    const read = known.get(path) ?? (await readPicture(path, files, pictureBytes - bytes))
    if (typeof read !== 'string') return read
    // A picture stands in the file as often as it is shown.
    bytes += (read.length / 4) * 3
    if (bytes > pictureBytes) return tooLarge(path)
    known.set(path, read)
    addresses.push(read)
  }
  return { addresses, paths: [...known.keys()] }
}

function tooLarge(path: string): Refusal {
  return refusal(
    'too_large',
    `With "${path}" the pictures of the report are larger than ${pictureBytes / 2 ** 20} MiB together; each counts as often as it is shown.`,
  )
}

/** Markdown writes blanks in an address as %20. */
function pathOf(src: string): string {
  try {
    return decodeURIComponent(src)
  } catch {
    return src
  }
}

async function readPicture(
  path: string,
  files: Pick<FilesPort, 'open'>,
  most: number,
): Promise<string | Refusal> {
  const file = await readWhole(files, path, most)
  if (!file.ok) {
    if (file.code === 'too_large') return tooLarge(path)
    return refusal('picture', `The report names the picture "${path}", which cannot be read: ${file.message}`)
  }
  const { content } = file
  const mediaType = /\.svg$/i.test(path) ? 'image/svg+xml' : pictureTypeOf(content.subarray(0, 64))
  if (mediaType === undefined) return refusal('picture', `"${path}" is no picture that a report can show.`)
  return `data:${mediaType};base64,${content.toString('base64')}`
}

/** In one pass, so that nothing in a picture is looked at. */
function withPictures(html: string, mark: string, addresses: readonly string[]): string {
  return html.replace(new RegExp(`${mark}(\\d+)`, 'g'), (_, number) => addresses[Number(number)] ?? '')
}

const said = z.strictObject({
  html: z.string(),
  heading: z.string().nullable(),
  pictures: z.array(z.string()),
  warnings: z.array(z.string()).max(1_000),
}) satisfies z.ZodType<ReportSaid>

function refusal(code: ReportFault, message: string): Refusal {
  return { ok: false, code, message }
}

const codes: Readonly<Record<WalledFault, ReportFault>> = { ...walledCodes, broken: 'too_large' }

const sentences: Readonly<Record<WalledFault, string>> = {
  timeout: `The text took longer than ${milliseconds / 1_000} seconds to read and was given up. Make it simpler.`,
  memory: `The text needs more than ${heapMiB} MiB of memory to read and was given up. Make it shorter.`,
  aborted: 'Making the report was stopped.',
  busy: 'All processes that make reports are busy. Try again.',
  unavailable: 'The process that makes reports could not be started.',
  output: 'The report is too large.',
  broken: 'The text broke the process that reads it. It may be nested too deep.',
}
