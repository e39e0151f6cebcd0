import { element } from './element.ts';

/** How long after an update a press can be meant for what was there before. */
const REACTION_MS = 700;

/** An entry of a list with its vertical place in the window. */
interface Place {
  readonly entry: Element;
  readonly top: number;
  readonly bottom: number;
}

/** An update of the page. */
interface Update {
  /** The places before it. */
  readonly places: readonly Place[];
  /** When it was shown, which takes long on a slow machine, and how far the page was scrolled then. Undefined: it is not shown yet. */
  shown: { readonly atMs: number; readonly scrolledPx: number } | undefined;
}

/** Knows which entries of lists an update moved. */
export interface MovedEntries {
  /** Makes an update, and keeps the places that the entries had before it. */
  update(change: () => void): void;
  /**
   * Whether the press of a form was meant for another entry, because an update moved the entries just before: a question was asked, or a person
   * answered one. Otherwise, the press could send an announcement that nobody approved. Entries that the person scrolled did not move.
   */
  isMoved(form: HTMLFormElement): boolean;
}

export function watchMovedEntries(): MovedEntries {
  const view = element('view');
  /** The height of the last click; undefined: a key made it, and the focus does not move to another form. */
  let clicked: number | undefined;
  let earlier: readonly Update[] = [];
  const recent = () => earlier.filter(({ shown }) => !shown || performance.now() - shown.atMs < REACTION_MS);
  document.addEventListener('click', ({ detail, clientY }) => void (clicked = detail > 0 ? clientY : undefined), { capture: true });

  return {
    update(change) {
      const made: Update = { places: placesIn(view), shown: undefined };
      earlier = [...recent(), made];
      change();
      // Preact shows it in a microtask that is queued by now. To read how far the page is scrolled completes the layout: a browser scrolls
      // along if an update moves what a person reads.
      queueMicrotask(() => {
        const px = scrolledPx();
        made.shown = { atMs: performance.now(), scrolledPx: px };
      });
    },
    isMoved(form) {
      const entry = form.closest('li');
      if (clicked === undefined || !entry) return false;
      const clickedPx = clicked + scrolledPx();
      return recent().some((made) => entryAt(clickedPx - (made.shown?.scrolledPx ?? scrolledPx()), made) !== entry);
    },
  };
}

function scrolledPx(): number {
  return document.documentElement.scrollTop;
}

function entryAt(y: number, { places }: Update): Element | undefined {
  return places.find(({ top, bottom }) => top <= y && y < bottom)?.entry;
}

function placesIn(view: Element): readonly Place[] {
  const entries = new Set([...view.querySelectorAll('li form[data-operation]')].map((form) => form.closest('li')));
  return [...entries].flatMap((entry) => {
    if (!entry) return [];
    const { top, bottom } = entry.getBoundingClientRect();
    return [{ entry, top, bottom }];
  });
}
