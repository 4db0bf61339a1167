/** The page of a report: one file that loads nothing and runs nothing, for screens in light and dark and for paper. */
import { createHash } from 'node:crypto'

interface Page {
  readonly title: string
  /** HTML in which everything is escaped that must be. */
  readonly body: string
}

const style = `
:root{color-scheme:light dark;--ink:#1d2129;--soft:#5a6270;--line:#dfe2e8;--ground:#ffffff;--raised:#f5f6f8;--link:#2a55b8}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8ec;--soft:#a2a9b6;--line:#373c47;--ground:#16181d;--raised:#20232a;--link:#8fb0ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.6 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif}
main{max-width:46rem;margin:0 auto;padding:3rem 1.5rem 4rem;overflow-wrap:break-word}
h1,h2,h3,h4,h5,h6{line-height:1.25;margin:2em 0 .6em;break-after:avoid}
h1{font-size:1.9rem;margin-top:0;letter-spacing:-.015em}
h2{font-size:1.35rem;padding-bottom:.3em;border-bottom:1px solid var(--line)}
h3{font-size:1.1rem}h4,h5,h6{font-size:1rem}
p,ul,ol,pre,table,blockquote{margin:0 0 1em}
a{color:var(--link)}
img{display:block;max-width:100%;height:auto;margin:1.5em auto;border-radius:6px;break-inside:avoid}
table{display:block;max-width:100%;overflow-x:auto;border-collapse:collapse;font-size:.92rem;font-variant-numeric:tabular-nums}
th,td{padding:.45em .8em;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{font-weight:600;border-bottom-width:2px}
[align=right]{text-align:right}[align=center]{text-align:center}
code,pre{font-family:"JetBrains Mono",ui-monospace,Menlo,Consolas,monospace;font-size:.88em}
code{background:var(--raised);padding:.1em .35em;border-radius:4px}
pre{background:var(--raised);padding:1em;border-radius:6px;overflow-x:auto}pre code{background:none;padding:0;font-size:1em}
blockquote{margin-inline:0;padding:0 1em;color:var(--soft);border-inline-start:3px solid var(--line)}
hr{border:0;border-top:1px solid var(--line);margin:2em 0}
.missing{color:var(--soft);border:1px dashed var(--line);border-radius:4px;padding:.1em .5em}
.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
input[type=checkbox]{margin-inline-end:.4em}
@media print{:root{color-scheme:light;--ink:#000;--soft:#444;--line:#ccc;--ground:#fff;--raised:#f5f6f8;--link:#000}main{max-width:none;padding:0}pre{white-space:pre-wrap}table{display:table}}
`

const hash = createHash('sha256').update(style).digest('base64')
/** Nothing is loaded but pictures that are in the page, and nothing runs. */
const policy = `default-src 'none'; img-src data:; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`

export function reportPage({ title, body }: Page): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (each) => entities[each] ?? '')
}
