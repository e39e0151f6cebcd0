import { rulesReading } from '#src/rules/rules-reading.ts';
import type { Rule } from '#src/rules/rule.ts';

/** A loaded rule that reads a list. */
interface ListReader {
  readonly id: string;
  readonly on: boolean;
  /** Whether it watches the entries as people. Otherwise, expressions of it read the list. */
  readonly watches: boolean;
}

export interface LoadedRules {
  readonly now: { readonly rules: readonly Rule[] };
  readonly isOn: (rule: Rule) => boolean;
}

/** The rules that read a list. */
interface ListReaders {
  /** The first rules by id. */
  readonly rules: readonly ListReader[];
  readonly ruleCount: number;
}

const MOST_RULES = 50;

/** The loaded rules that watch the entries of a list, or read it in an expression. */
export function listReaders(list: string, { now: { rules }, isOn }: LoadedRules): ListReaders {
  const readers = rulesReading(list, rules);
  return {
    rules: readers.slice(0, MOST_RULES).map((rule) => ({ id: rule.id, on: isOn(rule), watches: rule.watched?.people?.list === list })),
    ruleCount: readers.length,
  };
}
