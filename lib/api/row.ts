/**
 * A row of the table of routes: its method and path, the request, the answers, and the code that handles it.
 */
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Loopwright } from '#lib/server/loopwright'
import type { AgentKeyRow, KeyAccess } from '#lib/spec/agent-key'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A body or an answer that is a file, sent as plain bytes. */
export const bytes = { kind: 'bytes' } as const
/** An answer without a body. */
export const nothing = { kind: 'nothing' } as const
/** An empty JSON object, sent with a cookie for the browser. */
export const cookie = { kind: 'cookie' } as const

/** A response that `handle` makes itself, for a protocol of its own. */
export const response = { kind: 'response' } as const
/** JSON, sent with a cookie for the browser. */
export function withCookie<S extends z.ZodType>(schema: S) {
  return { kind: 'withCookie', schema } as const
}

/** JSON that is sent as a file to save, byte for byte as it is stored. */
export function jsonFile<S extends z.ZodType>(schema: S) {
  return { kind: 'jsonFile', schema } as const
}

/** The events of a run as server-sent events. With `allAsJson`, a caller that asks for JSON gets all events so far. */
export function events(): { readonly kind: 'events' }
export function events<S extends z.ZodType>(allAsJson: S): { readonly kind: 'events'; readonly allAsJson: S }
export function events(allAsJson?: z.ZodType) {
  return { kind: 'events', ...(allAsJson && { allAsJson }) } as const
}

/** The content of an answer: JSON of this schema, or one of the kinds above. */
export type Content =
  | z.ZodType
  | typeof bytes
  | typeof nothing
  | typeof cookie
  | typeof response
  | { readonly kind: 'jsonFile'; readonly schema: z.ZodType }
  | { readonly kind: 'withCookie'; readonly schema: z.ZodType }
  | { readonly kind: 'events'; readonly allAsJson?: z.ZodType }

/** A route's successful answers by status. Failures are AppErrors, which `handle` throws. */
export type Gives = { readonly [status in 200 | 201 | 202 | 204]?: Content }

export interface FileToSave {
  readonly name: string
  readonly mediaType: string
  readonly content: Readable
}

/** The events of a run: live, after the event with the seq `after`, or all so far as one JSON answer. */
export type EventsToSend =
  | { readonly runId: string; readonly after: number }
  | { readonly runId: string; readonly as: 'json' }

/** What `handle` returns for an answer that holds `C`. */
type ValueOf<C> = C extends z.ZodType
  ? z.output<C>
  : C extends typeof nothing
    ? // biome-ignore lint/suspicious/noConfusingVoidType: it is what a function that gives nothing returns
      void
    : C extends typeof bytes
      ? FileToSave
      : C extends typeof cookie
        ? string
        : C extends typeof response
          ? Response
          : C extends { kind: 'jsonFile' }
            ? { text: string; fileName: string }
            : C extends { kind: 'withCookie'; schema: infer S extends z.ZodType }
              ? { value: z.output<S>; cookie: string }
              : C extends { kind: 'events'; allAsJson: z.ZodType }
                ? EventsToSend
                : Extract<EventsToSend, { after: number }>

type RepliesOf<G> = { [S in keyof G]: { readonly status: S; readonly value: ValueOf<G[S]> } }[keyof G]

type IsUnion<T, Each = T> = Each extends T ? ([T] extends [Each] ? false : true) : never

/** The value alone if a route has one status; otherwise the status with its value. */
type ResultOf<G> = IsUnion<keyof G> extends true ? RepliesOf<G> : ValueOf<G[keyof G]>

/** The return value of `handle` if its route has more than one status. */
export function reply<const S extends number, const V>(status: S, value: V) {
  return { status, value }
}

/** The names in a path: `{id}` is one segment, `{...path}` is the rest of the path. */
export type NamesIn<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `...${infer Last}` ? Last : Name) | NamesIn<Rest>
  : never

type Body = z.ZodType | typeof bytes

/** A request, read and validated. */
export interface Input<P = string, N = unknown, Q = unknown, B = unknown> {
  /** The server's one object. */
  readonly app: Loopwright
  readonly params: { readonly [K in NamesIn<P>]: K extends keyof N ? number : string }
  readonly query: Q extends z.ZodType ? z.output<Q> : undefined
  readonly body: B extends z.ZodType
    ? z.output<B>
    : B extends typeof bytes
      ? AsyncIterable<Uint8Array>
      : undefined
  /** The agent key that the request came with; undefined for the operator. */
  readonly key: AgentKeyRow | undefined
  /** For its signal, and for the headers that choose between answers. */
  readonly request: Request
  readonly url: URL
  /** The table this row is in. */
  readonly rows: readonly RouteRow[]
}

/** A row of any type. */
export interface RouteRow {
  readonly method: Method
  readonly path: `/api/${string}`
  /** One sentence. */
  readonly does: string
  /** Path parameters that are whole numbers from 1, each with the sentence of the 404 for anything else. */
  readonly numbers?: Readonly<Record<string, string>>
  readonly query?: z.ZodObject
  readonly body?: Body
  /** No body counts as `{}`. */
  readonly mayBeEmpty?: true
  /** A body to show in the documentation. */
  readonly example?: unknown
  readonly gives: Gives
  /** The route needs no token. */
  readonly open?: true
  /** What a request with an agent key may do here. Default: nothing. */
  readonly keys?: KeyAccess
  readonly handle: (input: never) => unknown
}

type Fixed = 'method' | 'path' | 'numbers' | 'query' | 'body' | 'gives' | 'handle'

/**
 * Creates a row from its method and path: `row('GET /api/agents/{id}', …)`. Its types depend on each other:
 * `handle` gets what the schemas read, and returns what `gives` declares.
 */
export function row<
  const M extends Method,
  const P extends `/api/${string}`,
  G extends Gives,
  N extends Partial<Record<NamesIn<P>, string>> = Record<never, string>,
  Q extends z.ZodObject | undefined = undefined,
  B extends Body | undefined = undefined,
>(
  route: `${M} ${P}`,
  given: Omit<RouteRow, Fixed> & {
    readonly numbers?: N
    readonly query?: Q
    readonly body?: B
    readonly gives: G
    readonly handle: (input: Input<P, N, Q, B>) => ResultOf<G> | Promise<ResultOf<G>>
  },
) {
  const [method, path] = route.split(' ') as [M, P] // cast: these are the two of which the route is made
  return { method, path, ...given }
}
