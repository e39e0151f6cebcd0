/** A second click must not repeat an action. */
let isActing = false;

/** Does an action of the pressed element, if no other action is running. The view then loads what changed. */
export async function actOnce(pressed: Element | null, act: () => Promise<void>): Promise<void> {
  if (isActing) return;
  isActing = true;
  // A disabled button would lose the focus.
  if (pressed) pressed.ariaDisabled = 'true';
  try {
    await act();
  } finally {
    isActing = false;
    if (pressed) pressed.ariaDisabled = null;
    document.dispatchEvent(new CustomEvent('acted'));
  }
}
