/** Whether a key belongs to the field, dialog or menu that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, dialog, [contenteditable], [role="menu"], [role="dialog"]') !==
      null
  )
}

/** Whether the focus is in a dialog or a menu over the page, which closes on Escape by itself. */
export function isOverPage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [role="menu"], [role="dialog"]') !== null
}
