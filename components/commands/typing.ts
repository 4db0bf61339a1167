/** Whether a key belongs to the field, dialog or menu that has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, dialog, [contenteditable], [role="menu"], [role="dialog"]') !==
      null
  )
}
