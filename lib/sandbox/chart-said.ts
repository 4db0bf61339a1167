/** Checks what the process that draws charts says, since a hostile specification may speak through it. */
import { z } from 'zod'
import { type ChartSaid, chartLimits } from './chart-wire'

const count = z.int().nonnegative()
const most = 20_000

export const chartSaid = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    width: z.int().positive(),
    height: z.int().positive(),
    marks: count,
    tables: z.array(
      z.strictObject({
        name: z.string().max(most),
        rows: count,
        columns: z.array(z.string().max(most)).max(most),
      }),
    ),
    warnings: z.array(z.string().max(most)).max(100),
    svgBytes: count.max(chartLimits.svgBytes),
    pngBytes: count,
  }),
  z.strictObject({
    ok: z.literal(false),
    code: z.enum(['data', 'refused', 'spec', 'empty', 'too_large']),
    message: z.string().max(most),
  }),
]) satisfies z.ZodType<ChartSaid>
