import { leaveOutcome } from './outcome.ts';

/** The newest action of each form or group of buttons, until it is done. */
const newest = new WeakMap<Element, { readonly what: string; readonly done: Promise<void> }>();

/**
 * Does an action of the pressed element. The owner is the form or the group of buttons. If its newest action is the same, nothing happens:
 * a second click must not repeat it. Another action of the owner, such as that of a form with another text, waits for the earlier one.
 * The view then loads what changed.
 */
export function actOnce(owner: Element, pressed: Element | null, act: () => Promise<void>, what = ''): void {
  const earlier = newest.get(owner);
  if (earlier?.what === what) return;
  const mine = { what, done: afterEarlier() };
  newest.set(owner, mine);

  async function afterEarlier(): Promise<void> {
    // A disabled button would lose the focus.
    if (pressed) pressed.ariaDisabled = 'true';
    if (earlier) {
      await earlier.done.catch(() => undefined);
      leaveOutcome(owner);
    }
    try {
      await act();
    } finally {
      if (newest.get(owner) === mine) {
        newest.delete(owner);
        if (pressed) pressed.ariaDisabled = null;
      }
      document.dispatchEvent(new CustomEvent('acted'));
    }
  }
}
