/** The ports through which tools reach what is not theirs: databases, the thread's files, a JavaScript sandbox, the web. */
import type { Artifact } from './artifact'
import type { JsonObject, JsonValue } from './json'
import type { WaitInLine } from './turns'

export interface SqlRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly JsonValue[])[]
  /** True when a bound on rows or bytes cut the answer. */
  readonly truncated: boolean
}

export type SqlAnswer =
  | { readonly ok: true; readonly value: SqlRows }
  | { readonly ok: false; readonly code: SqlFault; readonly message: string }

export type SqlFault =
  | 'unknown_database'
  | 'not_one_read'
  | 'sql_error'
  | 'timeout'
  | 'aborted'
  /** No process was free for it in all the time that it could wait. */
  | 'busy'
  | 'unavailable'

/** Runs one read statement in a child process on a database opened read-only; never throws. */
export interface SqlPort {
  /** Names of the registered databases, sorted. */
  databases(): readonly string[]
  query(request: SqlRequest, signal: AbortSignal): Promise<SqlAnswer>
}

export interface SqlRequest {
  readonly database: string
  readonly sql: string
  readonly parameters?: readonly JsonValue[]
  readonly maxRows?: number
  /** Without it the statement may go on until the signal aborts. The wait for a free process does not count. */
  readonly timeoutMs?: number
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
}

export type FileFault =
  | 'bad_path'
  | 'outside'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_folder'
  | 'exists'
  | 'not_empty'
  | 'not_text'
  | 'too_large'
  | 'quota'
  | 'unavailable'

export type FileAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: FileFault; readonly message: string }

export interface FileEntry {
  /** Relative to the workspace, with `/`. */
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** 0 for a folder. */
  readonly bytes: number
}

/**
 * The workspace of one thread. Every path is relative to it; what leads outside, by whatever means, is refused.
 * Never throws. Bounds: RELIABILITY (c), a file read 1 MiB, written 5 MiB, the workspace 500 MiB.
 */
export interface FilesPort {
  read(path: string): Promise<FileAnswer<Uint8Array>>
  /** Whole or not at all; folders on the way are made. A file that stands is replaced, unless `replace` is false (`exists`). */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { readonly replace?: boolean },
  ): Promise<FileAnswer<{ created: boolean; bytes: number }>>
  /** A file, or an empty folder. */
  remove(path: string): Promise<FileAnswer<FileEntry>>
  makeFolder(path: string): Promise<FileAnswer<{ created: boolean }>>
  /** Sorted by path; `truncated` when there are more than the bound. `''` is the workspace itself. */
  list(
    path: string,
    options: { readonly deep: boolean },
  ): Promise<FileAnswer<{ entries: readonly FileEntry[]; truncated: boolean }>>
  /**
   * Keeps the file as it is now: what it becomes later changes nothing of it. `name` is what a person saves it as, its
   * own unless said. Where nothing is kept, the artifact's id is the path.
   */
  keep(path: string, options?: { readonly name?: string }): Promise<FileAnswer<Artifact>>
}

/** Keeps what is no file of the workspace, such as an observation too long for the model; undefined where nothing is kept. */
export interface ArtifactsPort {
  keep(given: {
    name: string
    mediaType: string
    content: string | Uint8Array
  }): Promise<Artifact | undefined>
}

/** The files that foreign code reaches. */
export type ScriptFiles = Pick<FilesPort, 'read'> & Partial<Pick<FilesPort, 'write'>>

export interface JavascriptRequest {
  /** The body of an async function of `args`. */
  readonly source: string
  readonly args: JsonObject
  /** What `files.read` and `files.write` reach; without `write`, the code may only read. */
  readonly files: ScriptFiles
  /** The wait for a free process does not count. */
  readonly timeoutMs: number
  /** How the caller waits for a free process. */
  readonly inLine?: WaitInLine
  /** Told of what `console.log` printed: one line or several, each with its end, up to 256 KiB in all. */
  log(text: string): void
}

export type JavascriptAnswer =
  /** `value` is what the function returned; `undefined` as it is. `written` are paths, each once. */
  | { readonly ok: true; readonly value: JsonValue | undefined; readonly written: readonly string[] }
  | {
      readonly ok: false
      readonly code:
        | 'javascript_error'
        | 'timeout'
        | 'memory'
        | 'too_large'
        | 'aborted'
        | 'busy'
        | 'unavailable'
      readonly message: string
      readonly written: readonly string[]
    }

/** Runs foreign JavaScript in a process of its own, without host, network or clock of ours; never throws. */
export interface JavascriptPort {
  run(request: JavascriptRequest, signal: AbortSignal): Promise<JavascriptAnswer>
}

export interface WebRequest {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Of the decoded body; 2 MiB unless said. */
  readonly maxBytes?: number
  /** 30 s unless said. */
  readonly timeoutMs?: number
}

export type WebAnswer =
  | {
      readonly ok: true
      readonly value: {
        /** After redirects. */
        readonly url: string
        readonly status: number
        /** Names in small letters. */
        readonly headers: Readonly<Record<string, string>>
        readonly body: Uint8Array
      }
    }
  | {
      readonly ok: false
      readonly code: 'bad_url' | 'blocked' | 'redirects' | 'connection' | 'timeout' | 'too_large' | 'aborted'
      readonly message: string
      readonly retryable: boolean
    }

/** The web through the guarded fetch: public addresses and those the operator allowed; never throws. */
export interface WebPort {
  fetch(request: WebRequest, signal: AbortSignal): Promise<WebAnswer>
  /** The readable part of an HTML page as Markdown, read in a process of its own; undefined when there is none. */
  readable(
    page: { readonly html: string; readonly url: string; readonly inLine?: WaitInLine },
    signal: AbortSignal,
  ): Promise<{ readonly title: string; readonly markdown: string } | undefined>
}
