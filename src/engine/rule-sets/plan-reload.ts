import type { CheckedFile } from '#src/rules/check/check-across-files.ts';
import type { Rule } from '#src/rules/rule.ts';
import { ruleNameOf } from '#src/rules/rule-name.ts';
import type { RuleSet } from '#src/rules/rule-set.ts';

/** The change of one rule with all its instances. */
export type RuleChange =
  | { readonly kind: 'new'; readonly name: string; readonly after: CheckedFile }
  | { readonly kind: 'renamed'; readonly name: string; readonly before: CheckedFile; readonly after: CheckedFile }
  | { readonly kind: 'changed'; readonly name: string; readonly before: CheckedFile; readonly after: CheckedFile }
  | { readonly kind: 'deleted'; readonly name: string; readonly before: CheckedFile };

/** The work of a reload. Rules in none of the lists stay unchanged. */
export interface ReloadPlan {
  /** In the order of the names. */
  readonly changes: readonly RuleChange[];
  /** New and changed rules, and rules that are now on. */
  readonly put: readonly Rule[];
  /** Rules that did not exist or were off before. Deliveries of an earlier rule with the same id may wait. */
  readonly added: readonly Rule[];
  /** Rules that did not exist before and are off. The state of an earlier rule with the same id stays. */
  readonly addedOff: readonly Rule[];
  /** Rules that are now off. Their episodes stay open. */
  readonly drop: readonly Rule[];
  /** The previous versions of instances whose value of `each` is gone. Their episodes end without an announcement. */
  readonly closeOut: readonly Rule[];
  /** Rules that may have a state under their previous id. */
  readonly moved: readonly MovedRule[];
  /** The previous versions of deleted rules. */
  readonly retire: readonly Rule[];
  /** The previous versions of rules whose published file is unusable in this process. Other processes may run them. */
  readonly forget: readonly Rule[];
}

/** A rule with a previous id. */
export type MovedRule = Rule & { readonly was: string };

export interface PlanReloadOptions {
  readonly before: RuleSet;
  readonly after: RuleSet;
  readonly isOn: (rule: Rule) => boolean;
}

/** Compares two rule sets and plans the reload. */
export function planReload({ before, after, isOn }: PlanReloadOptions): ReloadPlan {
  const [had, has] = [byId(before.rules), byId(after.rules)];
  const running = new Set(after.rules.filter(isOn).map(({ name }) => name));
  const wasOn = (id: string): boolean => {
    const old = had.get(id);
    return old !== undefined && isOn(old);
  };
  const isUnusable = unusableIn(after);
  const wasUnusable = unusableIn(before);
  const isTaken = (was: string): boolean => has.has(was) || isUnusable({ name: ruleNameOf(was) });
  const wasTaken = (was: string): boolean => had.has(was) || wasUnusable({ name: ruleNameOf(was) });
  const isMoved = (rule: Rule): rule is MovedRule => rule.was !== undefined && !isTaken(rule.was);
  const heirs = new Map(
    after.rules
      .filter(isMoved)
      .toReversed()
      .map((rule) => [rule.was, rule]),
  );
  const missing = before.rules.filter(({ id }) => !has.has(id) && !heirs.has(id));
  const gone = missing.filter((rule) => !isUnusable(rule));
  const endsWithFinally = (rule: Rule): boolean => isOn(rule) && running.has(rule.name);
  return {
    changes: changesBetween(before, after),
    put: after.rules.filter((rule) => isOn(rule) && !(wasOn(rule.id) && had.get(rule.id)?.version === rule.version)),
    added: after.rules.filter((rule) => isOn(rule) && !wasOn(rule.id)),
    addedOff: after.rules.filter((rule) => !isOn(rule) && !had.has(rule.id)),
    drop: after.rules.filter((rule) => !isOn(rule) && wasOn(rule.id)),
    // The file of the previous id may be deleted later than the new one is written.
    moved: [...heirs.values()].filter(({ id, was, version }) => had.get(id)?.version !== version || wasTaken(was)),
    closeOut: gone.filter(endsWithFinally),
    retire: gone.filter((rule) => !endsWithFinally(rule)),
    forget: missing.filter(isUnusable),
  };
}

/** Whether the file of a rule exists and cannot be used. */
function unusableIn({ unusable }: RuleSet): (rule: Pick<Rule, 'name'> & Partial<Pick<Rule, 'file'>>) => boolean {
  const ids = new Set(unusable.values());
  return ({ file, name }) => (file !== undefined && unusable.has(file)) || ids.has(name);
}

function byId(rules: readonly Rule[]): ReadonlyMap<string, Rule> {
  return new Map(rules.map((rule) => [rule.id, rule]));
}

function changesBetween({ inForce: before }: RuleSet, set: RuleSet): readonly RuleChange[] {
  const { inForce: after } = set;
  const isUnusable = unusableIn(set);
  const previous = previousNames(before, after);
  const moved = new Set(previous.values());
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted((a, b) => (a < b ? -1 : 1));
  return names.flatMap((name): readonly RuleChange[] => {
    if (moved.has(name)) return [];
    const [old, now] = [before.get(previous.get(name) ?? name), after.get(name)];
    if (!old) return now ? [{ kind: 'new', name, after: now }] : [];
    if (!now) return isUnusable({ file: old.file, name }) ? [] : [{ kind: 'deleted', name, before: old }];
    if (previous.has(name)) return [{ kind: 'renamed', name, before: old, after: now }];
    return old.source === now.source && old.file === now.file ? [] : [{ kind: 'changed', name, before: old, after: now }];
  });
}

/** The previous names of the rules that were renamed by this reload, by their new name. */
function previousNames(before: RuleSet['inForce'], after: RuleSet['inForce']): ReadonlyMap<string, string> {
  const heirs = new Map<string, string>();
  for (const [name, { rules }] of after) {
    const was = rules[0]?.was && ruleNameOf(rules[0].was);
    if (was !== undefined && before.has(was) && !after.has(was) && !before.has(name) && !heirs.has(was)) heirs.set(was, name);
  }
  return new Map([...heirs].map(([was, name]) => [name, was]));
}
