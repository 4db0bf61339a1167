/**
 * Bundles a page with production React and serves it on loopback: for benches and states, not for the app.
 */
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'

/**
 * Replaces the modules of Next that the page needs: a plain link, and React's lazy loading.
 * @type {Readonly<Record<string, string>>}
 */
const outsideOfNext = {
  'next/link': `import { createElement } from 'react'; export default ({ prefetch, ...props }) => createElement('a', props)`,
  'next/navigation': `export const useRouter = () => ({ push() {}, replace() {}, refresh() {} }); export const usePathname = () => '/'; export const useSearchParams = () => new URLSearchParams(window.location.search)`,
  'next/dynamic': `import { createElement, lazy, Suspense } from 'react'; export default (load, { loading: Waiting } = {}) => { const Part = lazy(async () => { const found = await load(); return { default: found.default ?? found } }); return (props) => createElement(Suspense, { fallback: Waiting ? createElement(Waiting, {}) : null }, createElement(Part, props)) }`,
}

/**
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
const plugin = (root) => ({
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
})

/** @type {Readonly<Record<string, string>>} */
const types = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }

/**
 * @typedef {object} Serving
 * @property {string} [title] the title of the tab
 * @property {boolean} [isCounting] React reports what it renders, which makes it a little slower
 * @property {(pathname: string) => unknown} [answer] the JSON for a path under `/api/`; without it there is
 * none
 */

/**
 * @param {string} entry a .tsx file in a folder of a room (`bench/canvas`): its bundle is served as page.js and page.css
 * @param {Serving} [serving]
 * @returns {Promise<{ readonly url: string, close(): Promise<void> }>}
 */
export async function servePage(entry, { title = 'bench', isCounting = false, answer } = {}) {
  // Node runs this file as an ES module and the journeys' runner does not, so it cannot ask for its own path.
  const root = path.resolve(path.dirname(entry), '../..')
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-page-'))
  await build({
    absWorkingDir: root,
    entryPoints: { page: entry },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    minify: true,
    tsconfig: path.join(root, 'tsconfig.json'),
    define: { 'process.env.NODE_ENV': '"production"', 'process.env': '{}' },
    loader: { '.woff2': 'file', '.woff': 'file' },
    ...(isCounting && { alias: { 'react-dom/client': 'react-dom/profiling' } }),
    plugins: [plugin(root)],
    logLevel: 'error',
  })
  const shell = `<!doctype html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="/page.css"><link rel="icon" href="data:,"></head><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>`
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/')
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shell)
    if (answer !== undefined && pathname.startsWith('/api/'))
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer(pathname)))
    const file = path.join(folder, path.basename(pathname))
    if (!fs.existsSync(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
    fs.createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
