/** Bundles the page of states and serves it on loopback: it stands in tests alone, and is no part of the app. */
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { StepRequest } from '../../lib/http/runs'

const root = path.resolve(__dirname, '../..')

/** What the page needs of Next outside of Next: a link is a link, and a part loaded later is loaded later. */
const outsideOfNext: Readonly<Record<string, string>> = {
  'next/link': `import { createElement } from 'react'; export default ({ prefetch, ...props }) => createElement('a', props)`,
  'next/navigation': `export const useRouter = () => ({ push() {}, replace() {}, refresh() {} }); export const usePathname = () => '/'; export const useSearchParams = () => new URLSearchParams(window.location.search)`,
  'next/dynamic': `import { createElement, lazy, Suspense } from 'react'; export default (load, { loading: Waiting } = {}) => { const Part = lazy(async () => { const found = await load(); return { default: found.default ?? found } }); return (props) => createElement(Suspense, { fallback: Waiting ? createElement(Waiting, {}) : null }, createElement(Part, props)) }`,
}

const plugin: Plugin = {
  name: 'outside-of-next',
  setup(bundle) {
    bundle.onResolve({ filter: /^next\// }, ({ path: name }) =>
      name in outsideOfNext ? { path: name, namespace: 'outside' } : undefined,
    )
    bundle.onLoad({ filter: /.*/, namespace: 'outside' }, ({ path: name }) => ({
      contents: outsideOfNext[name],
      loader: 'js',
      resolveDir: root,
    }))
  },
}

export interface StatesPage {
  readonly url: string
  close(): Promise<void>
}

export async function serveStates(): Promise<StatesPage> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-states-'))
  await build({
    absWorkingDir: root,
    entryPoints: [path.join(__dirname, 'page.tsx')],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    tsconfig: path.join(root, 'tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    loader: { '.woff2': 'file', '.woff': 'file' },
    plugins: [plugin],
    logLevel: 'silent',
  })
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname.startsWith('/api/')) return answerJson(response, pathname)
    if (pathname === '/') return answerPage(response)
    const file = path.join(folder, path.basename(pathname))
    if (!fs.existsSync(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
    fs.createReadStream(file).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page of states has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** Of the server behind the app only the requests of steps stand here; every list is empty. */
function answerJson(response: http.ServerResponse, pathname: string): void {
  const value = pathname.includes('/requests/') ? stepRequest : { items: [], total: 0 }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

const stepRequest: StepRequest = {
  request: { model: 'gpt-5-mini', messages: [] },
  exact: true,
  context: { system: 412, tools: 638, history: 214, observations: 1_054, window: 400_000 },
  http: {
    url: 'https://api.openai.com/v1/chat/completions',
    headers: { authorization: 'Bearer $OPENAI_API_KEY' },
  },
}

function answerPage(response: http.ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(
      '<!doctype html><html lang="en"><head><title>States · Loopwright</title><link rel="stylesheet" href="/page.css"><link rel="icon" href="data:,"></head><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>',
    )
}
