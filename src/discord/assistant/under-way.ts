/** Why an answer ended: its conversation was forgotten. */
export class Forgotten extends Error {
  override readonly name = 'Forgotten';

  constructor() {
    super('the conversation was forgotten');
  }
}

/** A question that is answered, or waits for that, until it is disposed of. */
interface Entry extends Disposable {
  /** Aborted with a {@link Forgotten}. */
  readonly signal: AbortSignal;
}

/** The questions that are under way, by their conversations. */
export interface UnderWay {
  enter(conversation: string): Entry;
  /** Ends those of a conversation, and any other that enters it before this is disposed of. */
  close(conversation: string): Disposable;
}

/** Keeps an eye on questions from their first moment to their last. */
export function underWay(): UnderWay {
  const entries = new Map<string, Set<AbortController>>();
  const closed: string[] = [];

  return {
    enter(conversation) {
      const entry = new AbortController();
      const beside = entries.get(conversation) ?? new Set();
      entries.set(conversation, beside.add(entry));
      if (closed.includes(conversation)) entry.abort(new Forgotten());
      return {
        signal: entry.signal,
        [Symbol.dispose]() {
          beside.delete(entry);
          if (beside.size === 0 && entries.get(conversation) === beside) entries.delete(conversation);
        },
      };
    },

    close(conversation) {
      closed.push(conversation);
      for (const entry of entries.get(conversation) ?? []) entry.abort(new Forgotten());
      return { [Symbol.dispose]: () => void closed.splice(closed.indexOf(conversation), 1) };
    },
  };
}
