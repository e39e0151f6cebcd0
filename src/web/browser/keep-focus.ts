import { element } from './element.ts';

/** The elements that have the focus instead of removed ones. */
const places = new WeakMap<Element, Element>();

/** The element that got the focus when an update removed this one. */
export function placeOf(removed: Element | null): Element | undefined {
  return removed ? places.get(removed) : undefined;
}

/**
 * Moves the focus to the entry or the section of the focused element if an update of the view removes this element, for example the button that removed
 * a person. Without it, the focus is lost.
 */
export function keepFocus(): void {
  const view = element('view');
  let last: { readonly focused: Element; readonly around: readonly (HTMLElement | null)[] } | undefined;
  view.addEventListener('focusin', ({ target }) => {
    // In the simulated Discord, the focus moves to the message: see `discord/presses.ts`.
    last =
      target instanceof Element && !target.closest('.message')
        ? { focused: target, around: [target.closest('li'), target.closest('section')] }
        : undefined;
  });
  new MutationObserver(() => {
    if (!last || last.focused.isConnected || document.activeElement !== document.body) return;
    places.set(last.focused, focusFirst(last.around));
  }).observe(view, { childList: true, subtree: true });
}

/** Moves the focus to the first of these elements that the view still has, or to the view. Returns the element that has the focus then. */
export function focusFirst(around: readonly (HTMLElement | null)[]): HTMLElement {
  const view = element('view');
  const place = around.find((one) => one?.isConnected) ?? view;
  if (place !== view) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  return place;
}
