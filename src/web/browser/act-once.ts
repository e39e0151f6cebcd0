/** The forms and buttons whose action is running. */
const acting = new WeakSet<Element>();

/**
 * Does an action of the pressed element, unless an action of the same owner is running: a second click must not repeat it. The owner is the
 * form or the group of buttons. The view then loads what changed.
 */
export async function actOnce(owner: Element, pressed: Element | null, act: () => Promise<void>): Promise<void> {
  if (acting.has(owner)) return;
  acting.add(owner);
  // A disabled button would lose the focus.
  if (pressed) pressed.ariaDisabled = 'true';
  try {
    await act();
  } finally {
    acting.delete(owner);
    if (pressed) pressed.ariaDisabled = null;
    document.dispatchEvent(new CustomEvent('acted'));
  }
}
