import { leaveOutcome } from './outcome.ts';

/** The newest action of each form or group of buttons, until it is done. */
const newest = new WeakMap<Element, { readonly what: string; readonly done: Promise<unknown> }>();

/**
 * Does an action of the pressed element. The owner is the form or the group of buttons. If its newest action is the same, nothing happens:
 * a second click must not repeat it. Another action of the owner, such as that of a form with another text, waits for the earlier one.
 * The view then loads what changed. Undefined: nothing happened.
 */
export async function actOnce<T>(owner: Element, pressed: Element | null, act: () => Promise<T>, what = ''): Promise<T | undefined> {
  const earlier = newest.get(owner);
  if (earlier?.what === what) return undefined;
  const mine = { what, done: afterEarlier() };
  newest.set(owner, mine);
  return mine.done;

  async function afterEarlier(): Promise<T> {
    // A disabled button would lose the focus.
    if (pressed) pressed.ariaDisabled = 'true';
    if (earlier) {
      await earlier.done.catch(() => undefined);
      leaveOutcome(owner);
    }
    try {
      return await act();
    } finally {
      if (newest.get(owner) === mine) {
        newest.delete(owner);
        // An update of the view can come before the answer.
        if (pressed) pressed.ariaDisabled = owner.matches('[data-off]') ? 'true' : null;
      }
      document.dispatchEvent(new CustomEvent('acted'));
    }
  }
}
