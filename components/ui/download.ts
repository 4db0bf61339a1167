/** Downloads a file, from an address of the server, or from a text or content already in the page. */
export function download(
  file:
    | { readonly name: string; readonly href: string }
    | { readonly name: string; readonly text: string }
    | { readonly name: string; readonly content: Blob },
): void {
  const href = 'href' in file ? file.href : URL.createObjectURL(contentOf(file))
  const link = document.createElement('a')
  link.href = href
  link.download = file.name
  link.click()
  // By then the click has read the address.
  if (!('href' in file)) setTimeout(() => URL.revokeObjectURL(href), 1_000)
}

function contentOf(file: { readonly text: string } | { readonly content: Blob }): Blob {
  return 'content' in file ? file.content : new Blob([file.text], { type: 'application/json' })
}
