/** Bundles the measured page with production React and serves it on loopback. */
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '../..')

/** What the page needs of Next outside of Next: a link is a link, and a part loaded later is loaded later. */
const outsideOfNext = {
  'next/link': `import { createElement } from 'react'; export default ({ prefetch, ...props }) => createElement('a', props)`,
  'next/navigation': `export const useRouter = () => ({ push() {}, replace() {}, refresh() {} }); export const usePathname = () => '/'; export const useSearchParams = () => new URLSearchParams(window.location.search)`,
  'next/dynamic': `import { createElement, lazy, Suspense } from 'react'; export default (load) => { const Part = lazy(async () => { const found = await load(); return { default: found.default ?? found } }); return (props) => createElement(Suspense, { fallback: null }, createElement(Part, props)) }`,
}

const plugin = {
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

const types = { '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' }
const shell =
  '<!doctype html><html lang="en"><head><title>bench</title><link rel="stylesheet" href="/page.css"><link rel="icon" href="data:,"></head><body><div id="root"></div><script type="module" src="/page.js"></script></body></html>'

/**
 * `entry` is a .tsx file; its bundle is served as page.js and page.css. Resolves with the address and a way to end it.
 * With `isCounting` React tells what it renders, which it does a little slower.
 */
export async function servePage(entry, { isCounting = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-bench-'))
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
    plugins: [plugin],
    logLevel: 'error',
  })
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/')
      return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shell)
    const file = path.join(folder, path.basename(pathname))
    if (!fs.existsSync(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' })
    fs.createReadStream(file).pipe(response)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}
