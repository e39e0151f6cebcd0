import { element } from './element.ts';

/** How long after an update a press can be meant for what was there before. */
const REACTION_MS = 700;

/** An entry of a list with its vertical place in the window. */
interface Place {
  readonly entry: Element;
  readonly top: number;
  readonly bottom: number;
}

/** Knows which entries of lists an update moved. */
export interface MovedEntries {
  /** Keeps the places of the entries. Called before each update. */
  keepPlaces(): void;
  /**
   * Whether the press of a form was meant for another entry, because an update moved the entries just before: a question was asked, or a person
   * answered one. Otherwise, the press could send an announcement that nobody approved.
   */
  isMoved(form: HTMLFormElement): boolean;
}

export function watchMovedEntries(): MovedEntries {
  const view = element('view');
  /** The height of the last click; undefined: a key made it, and the focus does not move to another form. */
  let clicked: number | undefined;
  let earlier: readonly { readonly places: readonly Place[]; readonly untilMs: number }[] = [];
  const recent = () => earlier.filter(({ untilMs }) => performance.now() - untilMs < REACTION_MS);
  document.addEventListener('click', ({ detail, clientY }) => void (clicked = detail > 0 ? clientY : undefined), { capture: true });

  return {
    keepPlaces() {
      earlier = [...recent(), { places: placesIn(view), untilMs: performance.now() }];
    },
    isMoved(form) {
      const entry = form.closest('li');
      const at = clicked;
      if (at === undefined || !entry) return false;
      return recent().some(({ places }) => places.find(({ top, bottom }) => top <= at && at < bottom)?.entry !== entry);
    },
  };
}

function placesIn(view: Element): readonly Place[] {
  const entries = new Set([...view.querySelectorAll('li form[data-operation]')].map((form) => form.closest('li')));
  return [...entries].flatMap((entry) => {
    if (!entry) return [];
    const { top, bottom } = entry.getBoundingClientRect();
    return [{ entry, top, bottom }];
  });
}
