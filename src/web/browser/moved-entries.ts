import { element } from './element.ts';

/** How long after an update a press can be meant for what was there before. */
const REACTION_MS = 700;
/** The size of a button. */
const NEAR_PX = 40;

interface Press {
  /** The entry of a list with the pressed form. */
  readonly entry: Element;
  readonly x: number;
  readonly y: number;
}

/**
 * Knows whether the press of a form was meant for the entry of a list that an update took away, for example an answered question. The next
 * entry moves to its place, and an impatient person would answer that one too.
 */
export function watchMovedEntries(): (form: HTMLFormElement) => boolean {
  /** The last click; undefined: a key made it, and the focus does not move to another form. */
  let clicked: { readonly x: number; readonly y: number } | undefined;
  let last: Press | undefined;
  let gone: (Press & { readonly atMs: number }) | undefined;
  document.addEventListener('click', ({ detail, clientX: x, clientY: y }) => void (clicked = detail > 0 ? { x, y } : undefined), {
    capture: true,
  });
  new MutationObserver(() => {
    if (!last || last.entry.isConnected) return;
    gone = { ...last, atMs: performance.now() };
    last = undefined;
  }).observe(element('view'), { childList: true, subtree: true });

  return (form) => {
    const entry = form.closest('li');
    if (!clicked || !entry) return false;
    const { x, y } = clicked;
    if (gone && performance.now() - gone.atMs < REACTION_MS && Math.hypot(x - gone.x, y - gone.y) < NEAR_PX) return true;
    last = { entry, x, y };
    return false;
  };
}
