import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleRegistry } from './rule-registry.ts';

/** Keeps the texts of the rules in force for the next start. */
export interface SourceSaver {
  /** Writes down what changed since it was done last. */
  save(): Promise<void>;
  /** Writes nothing more: the next start has to find what is kept now. */
  stop(): void;
}

/** A keeper of what is in force in `registry`. */
export function createSourceSaver(sources: RuleSources, registry: RuleRegistry): SourceSaver {
  let saved = registry.storedSources;
  let isStopped = false;
  return {
    async save() {
      if (isStopped) return;
      const now = new Map([...registry.now.inForce.values()].map(({ file, source }) => [file, source]));
      const save = [...now].filter(([file, source]) => saved.get(file) !== source).map(([file, source]) => ({ file, source }));
      const forget = [...saved.keys()].filter((file) => !now.has(file));
      if (save.length + forget.length > 0) await sources.change({ save, forget });
      saved = now;
    },
    stop: () => void (isStopped = true),
  };
}
