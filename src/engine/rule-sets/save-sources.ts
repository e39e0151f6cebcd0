import type { RuleSet } from '#src/rules/rule-set.ts';
import type { RuleSources } from '#src/rules/rule-sources.ts';
import type { RuleRegistry } from './rule-registry.ts';

/** Stores the sources of the loaded rules for the next start. */
export interface SourceSaver {
  /** Stores the changes since the last call. */
  save(): Promise<void>;
  /** Disables `save`, because the next start needs the stored sources. */
  stop(): void;
}

/** Creates a saver for the rules in `registry`. */
export function createSourceSaver(sources: RuleSources, registry: RuleRegistry): SourceSaver {
  let saved = registry.storedSources;
  let savedSet: RuleSet | undefined;
  let isStopped = false;
  return {
    async save() {
      const set = registry.now;
      if (isStopped || set === savedSet) return;
      const now = new Map([...set.inForce.values()].map(({ file, source }) => [file, source]));
      const save = [...now].filter(([file, source]) => saved.get(file) !== source).map(([file, source]) => ({ file, source }));
      // Processes share the sources, and another one may run an unusable file.
      const forget = [...saved.keys()].filter((file) => !now.has(file) && !set.unusable.has(file));
      if (save.length + forget.length > 0) await sources.change({ save, forget });
      saved = now;
      savedSet = set;
    },
    stop: () => void (isStopped = true),
  };
}
