import type { KeptViews } from '#src/store/kept-views.ts';
import type { Given } from './view.ts';

/** What a custom id says of a look-up, so that it can be done again, also by a bot that was started anew. */
export interface References {
  /** At most `room` characters that stand for it. */
  write(command: string, given: Given, room: number): Promise<string>;
  /** Undefined: it is not known any more. */
  read(command: string, reference: string): Promise<Given | undefined>;
}

/** A reference is what was given itself; where it is too long for that, it is kept, and the reference is its id. */
export function createReferences(kept: KeptViews): References {
  return {
    async write(command, given, room) {
      const options = textOf(given);
      if (options.length + 1 <= room) return `?${options}`;
      return `~${await kept.keep({ command, options })}`;
    },

    async read(command, reference) {
      if (reference.startsWith('?')) return givenFrom(reference.slice(1));
      const view = reference.startsWith('~') ? await kept.find(reference.slice(1)) : undefined;
      return view?.command === command ? givenFrom(view.options) : undefined;
    },
  };
}

/** What was given as one text, always the same for the same. */
export function textOf(given: Given): string {
  return new URLSearchParams(Object.entries(given).toSorted(([a], [b]) => (a < b ? -1 : 1))).toString();
}

function givenFrom(text: string): Given {
  return Object.fromEntries(new URLSearchParams(text));
}
