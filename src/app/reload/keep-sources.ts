import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleBook } from './rule-book.ts';

/** Keeps the texts of the rules in force for the next start. */
export interface SourceKeeper {
  /** Writes down what changed since it was done last. */
  keep(): Promise<void>;
  /** Writes nothing more: the next start has to find what is kept now. */
  hold(): void;
}

/** A keeper of what is in force in `book`. */
export function keepSources(sources: RuleSources, book: RuleBook): SourceKeeper {
  let kept = book.storedSources;
  let isHeld = false;
  return {
    async keep() {
      if (isHeld) return;
      const now = new Map([...book.now.inForce.values()].map(({ file, source }) => [file, source]));
      const save = [...now].filter(([file, source]) => kept.get(file) !== source).map(([file, source]) => ({ file, source }));
      const forget = [...kept.keys()].filter((file) => !now.has(file));
      if (save.length + forget.length > 0) await sources.change({ save, forget });
      kept = now;
    },
    hold: () => void (isHeld = true),
  };
}
