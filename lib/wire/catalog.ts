/**
 * The catalog on the wire: every part as plain data. `lib/spec/catalog` has its types; this file has its
 * schema for API clients.
 */
import { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import { effect, risk } from '#lib/spec/tool'
import { walledKinds } from '#lib/spec/walls'

const jsonSchema = z.record(z.string(), z.unknown())

const toolClass = {
  risk,
  effect,
  /** Whether an entry may restrict it to reading. */
  canOnlyRead: z.boolean().optional(),
  /** Whether nothing is known of what the tools do, so that an entry may set any class. */
  isAssumed: z.boolean().optional(),
}

const kind = z.strictObject({
  kind: z.string(),
  label: z.string(),
  help: z.string(),
  /** Other words that a person may search it by. */
  keywords: z.array(z.string()).optional(),
  /** Tool kinds: the heading in the palette. */
  group: z.string().optional(),
  icon: z.string(),
  family: z.string(),
  place: z.strictObject({ at: z.enum(['root', 'object', 'list']), key: z.string().optional() }),
  use: z.string().optional(),
  /** The type of its output port, which is also the port's name. */
  out: z.string().optional(),
  in: z.array(z.strictObject({ name: z.string(), accepts: z.string(), many: z.boolean() })),
  schema: jsonSchema,
  initial: z.record(z.string(), z.unknown()),
  scope: z
    .strictObject({
      prefix: z.string().optional(),
      list: z.string().optional(),
      itemName: z.string().optional(),
      without: z.string().optional(),
      name: z.string().optional(),
      choice: z
        .strictObject({ key: z.string(), names: z.record(z.string(), z.array(z.string())) })
        .optional(),
    })
    .optional(),
  /** The class of every tool of the entry, if it is the same for all of them. */
  toolClass: z.strictObject(toolClass).optional(),
  /** How the class of the tools follows from a setting, by its value. */
  classChoice: z
    .strictObject({
      key: z.string(),
      fallback: z.string(),
      classes: z.record(z.string(), z.strictObject(toolClass)),
      list: z.string().optional(),
    })
    .optional(),
  /** Tool kinds: the setting that names the kind of foreign code which its tool runs. */
  walledBy: z.string().optional(),
  scoped: z.boolean().optional(),
  lastWins: z.boolean().optional(),
})

const tool = z.strictObject({
  name: z.string(),
  use: z.string(),
  label: z.string(),
  /** The heading in the palette: `Files`. */
  group: z.string().optional(),
  /** Other words that a person may search it by. */
  keywords: z.array(z.string()).optional(),
  description: z.string(),
  icon: z.string(),
  ...toolClass,
  timeoutSeconds: z.number(),
  weight: z.int().optional(),
  /** True for a tool of which a person decides on each call unless its entry says otherwise. */
  asksFirst: z.boolean().optional(),
  visible: z.boolean().optional(),
  /** The kind of foreign code that it runs. */
  walled: z.enum(walledKinds).optional(),
  parameters: jsonSchema,
  samples: z.array(z.string()).optional(),
})

const provider = z.strictObject({
  id: z.string(),
  label: z.string(),
  help: z.string(),
  /** The provider whose address and key it shares. */
  endpoint: z.string().optional(),
})

export const catalogView = z.strictObject({
  version: z.string(),
  kinds: z.array(kind),
  tools: z.array(tool),
  providers: z.array(provider),
  /** The whole agent config as JSON Schema. */
  schema: jsonSchema,
}) as z.ZodType<unknown> as z.ZodType<Catalog> // cast: the type in `lib/spec` says the same more precisely
