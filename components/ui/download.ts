/** Downloads a file, from an address of the server or from a text already in the page. */
export function download(
  file: { readonly name: string; readonly href: string } | { readonly name: string; readonly text: string },
): void {
  const href =
    'href' in file ? file.href : URL.createObjectURL(new Blob([file.text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = href
  link.download = file.name
  link.click()
  // By then the click has read the address.
  if ('text' in file) setTimeout(() => URL.revokeObjectURL(href), 1_000)
}
