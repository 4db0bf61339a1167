/** The tool `chart.render`: draws a Vega-Lite chart of tables of the workspace, as SVG and PNG files. */
import { z } from 'zod'
import type { ChartAnswer, ChartData, DrawnChart } from '#lib/spec/chart'
import { jsonObject } from '#lib/spec/json'
import type { FilesPort } from '#lib/spec/sandbox'
import { metadataOf } from '#lib/spec/script'
import { image, refuse, type ToolContext, type ToolOutput, tool } from '#lib/spec/tool'
import { countOf, type FileRefusal, inTurn, namelessRefusal, refusalOf } from './files'

/** Models often name the file with its ending. */
const endings = /\.(svg|png)$/i

export const chartRender = tool({
  name: 'chart.render',
  label: 'Draw a chart',
  group: 'Charts and reports',
  keywords: [
    'chart',
    'plot',
    'graph',
    'diagram',
    'vega',
    'picture',
    'png',
    'svg',
    'bar',
    'line',
    'pie',
    'visualize',
  ],
  description:
    'Draws a chart from a Vega-Lite specification and writes it into the workspace as an SVG and a PNG, which is shown. Give the files that hold the rows (CSV, XLSX or a JSON list) in "data", and use their names in the specification. An example: {"path": "charts/revenue", "data": [{"name": "sales", "path": "sales.xlsx", "sheet": "2024"}], "spec": {"title": "Revenue by month", "data": {"name": "sales"}, "mark": "bar", "encoding": {"x": {"field": "Month", "type": "ordinal"}, "y": {"field": "Revenue", "aggregate": "sum", "type": "quantitative"}}}}. A few rows may be in the specification: {"data": {"values": […]}}. Addresses, links and image marks are refused. At most 100,000 rows and 20,000 marks: sum larger data up first.',
  icon: 'chart-column',
  walled: 'readers',
  risk: 'write',
  effect: 'idempotent',
  timeoutSeconds: 60,
  aliases: ['draw_chart', 'create_chart', 'plot', 'vega_lite'],
  argumentAliases: { chart: 'spec', specification: 'spec', vega_lite_spec: 'spec', file: 'path' },
  samples: ['Draw sales.csv as a bar chart.'],
  input: z.object({
    spec: jsonObject.meta({
      title: 'Specification',
      description: 'Vega-Lite: "mark" and "encoding", or "layer", "hconcat", "facet" and the like.',
    }),
    data: z
      .array(
        z.object({
          name: z.string().min(1).max(200).meta({
            title: 'Name',
            description: 'What the specification calls it, as in {"data": {"name": "sales"}}.',
          }),
          path: z.string().min(1).max(4_096).meta({
            title: 'Path',
            description: 'A CSV, XLSX or JSON file of the workspace.',
          }),
          sheet: z.string().min(1).max(200).optional().meta({
            title: 'Sheet',
            description: 'A sheet of an XLSX file. Left out: the first one that is not hidden.',
          }),
        }),
      )
      .max(8)
      .default([])
      .meta({ title: 'Data', description: 'The files that the chart uses, each with a name.' }),
    path: z.string().min(1).max(4_000).default('charts/chart').meta({
      title: 'Path',
      description:
        'Where the two files go, without an ending, as in "charts/revenue". Files of that name are replaced.',
    }),
    scale: z.number().min(0.5).max(4).default(2).meta({
      title: 'Scale',
      description: 'Pixels of the PNG for each pixel of the specification.',
    }),
  }),
  async run({ spec, data, path, scale }, context) {
    const twice = data.find(({ name }, index) => data.findIndex((each) => each.name === name) !== index)
    if (twice !== undefined) return refuse(`Two of the data are named "${twice.name}".`, 'spec')
    const nameless = namelessRefusal(path, endings, 'charts/revenue')
    if (nameless !== undefined) return nameless
    const { ports, signal, inLine } = context
    const answer = await ports.charts.draw({ spec, data, scale, files: ports.files, inLine }, signal)
    if (!answer.ok) return refusedChart(answer)
    return keepChart(answer.value, { stem: path.replace(endings, ''), data }, context)
  },
})

function refusedChart({ code, message }: Extract<ChartAnswer, { ok: false }>): ToolOutput {
  return { ok: false, message, code, ...(code === 'busy' && { retryable: true }) }
}

/** In turn with other changes of the files, so that two charts of one name do not mix. */
function keepChart(
  chart: DrawnChart,
  { stem, data }: { stem: string; data: readonly ChartData[] },
  { ports: { files }, created }: ToolContext,
): Promise<ToolOutput> {
  return inTurn(files, async (): Promise<ToolOutput> => {
    const paths = { svg: `${stem}.svg`, png: `${stem}.png` }
    const refusal = await writeBoth(files, [
      [paths.svg, chart.svg],
      [paths.png, chart.png],
    ])
    if (refusal !== undefined) return refusal
    const notes: string[] = []
    const svg = await files.keep(paths.svg)
    if (svg.ok) created(svg.value)
    const png = await files.keep(paths.png)
    if (png.ok) created(png.value)
    for (const kept of [svg, png]) if (!kept.ok) notes.push(`It was not kept for download: ${kept.message}`)
    const words = [wordsOf(chart, paths, data), ...notes].join('\n')
    return {
      ok: true,
      blocks: [{ type: 'text', text: words }, ...(png.ok ? [image(png.value)] : [])],
      ...(chart.wall && { metadata: metadataOf({ wall: chart.wall }) }),
    }
  })
}

type Content = readonly [path: string, content: string | Uint8Array]

/** Writes both files; if the second cannot be written, the first is again what it was before. */
async function writeBoth(
  files: FilesPort,
  [first, second]: readonly [Content, Content],
): Promise<FileRefusal | undefined> {
  const [path] = first
  const before = await files.read(path)
  const one = await files.write(...first)
  if (!one.ok) return refusalOf(one)
  const other = await files.write(...second)
  if (other.ok) return undefined
  const taken = one.value.created ? await files.remove(path) : undefined
  const back = before.ok ? await files.write(path, before.value) : taken
  const rest = back?.ok ? '' : ` ${path} was written before that.`
  return { ...refusalOf(other), message: `${other.message}${rest}` }
}

function wordsOf(
  { width, height, marks, tables, warnings }: DrawnChart,
  { svg, png }: { svg: string; png: string },
  data: readonly ChartData[],
): string {
  const from = tables.map(({ name, rows, columns }) => {
    const file = data.find((each) => each.name === name)?.path ?? name
    return `Data "${name}" (${file}): ${countOf(rows, 'row')}, columns ${columns.join(', ')}.`
  })
  return [
    `Drew ${png} (${width} × ${height} pixels) and ${svg}, with ${countOf(marks, 'mark')}.`,
    ...from,
    ...(warnings.length > 0 ? ['Warnings:', ...warnings.map((each) => `- ${each}`)] : []),
  ].join('\n')
}
