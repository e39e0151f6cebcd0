import type { Undelivered } from '#src/engine/delivery/delivery-log.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { RulesVersion, RuleView } from './records.ts';
import { brokenViews, problemsByFile, rulesVersion, ruleViews, type RuleViewOptions } from './rule-view.ts';

export interface RulePageQuery {
  /** A part of the id, the description or the file of a rule; absent for all rules. */
  readonly search?: string | undefined;
  /** The number of the page, from 1. A number above the last page is the last page. */
  readonly page: number;
  /** The number of rules on a page. */
  readonly size: number;
}

/** A page of the rules and broken files, ordered by urgency. */
export interface RulePage {
  readonly items: readonly RuleView[];
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** The number of rules that the search found. */
  readonly found: number;
  /** The number of all rules. */
  readonly total: number;
  /** The published version; absent if the rules come from a folder. */
  readonly version?: RulesVersion | undefined;
}

interface RulePageOptions extends RuleViewOptions {
  readonly undelivered: readonly Undelivered[];
}

/** A rule, or a file with errors, in the list. */
type Entry = { readonly rule: Rule; readonly broken?: undefined } | { readonly rule?: undefined; readonly broken: RuleView };

/** Reads one page. Only its own rules cost queries; the order of all rules comes from memory. */
export async function rulePage({ search, page, size }: RulePageQuery, options: RulePageOptions): Promise<RulePage> {
  const all = inOrder(options);
  const found = search === undefined ? all : all.filter(containing(search.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / size));
  const current = Math.min(page, pages);
  const shown = found.slice((current - 1) * size, current * size);
  const views = await ruleViews(
    shown.flatMap(({ rule }) => rule ?? []),
    options,
  );
  const byId = new Map(views.map((view) => [view.id, view]));
  const items = shown.flatMap(({ rule, broken }) => broken ?? byId.get(rule.id) ?? []);
  return { items, page: current, pages, found: found.length, total: all.length, version: rulesVersion(options.registry) };
}

function containing(text: string): (entry: Entry) => boolean {
  return ({ rule, broken }) => {
    const { id, file, about = '' } = rule ?? broken;
    return [id, about, file].some((one) => one.toLowerCase().includes(text));
  };
}

/** Files with errors, paused rules, rules with failed or unknown deliveries, other running rules, rules that are off; each by id. */
function inOrder({ registry, pauses, undelivered }: RulePageOptions): readonly Entry[] {
  const { now } = registry;
  const errors = problemsByFile(now.diagnostics.filter(({ severity }) => severity === 'error'));
  const failing = new Set(undelivered.map(({ rule }) => rule));
  const groups: [out: Entry[], paused: Entry[], failing: Entry[], running: Entry[], off: Entry[]] = [[], [], [], [], []];
  for (const rule of byId(now.rules)) {
    const on = registry.isOn(rule);
    if (!on) groups[errors.has(rule.file) ? 0 : 4].push({ rule });
    else if (pauses.paused.has(rule.id)) groups[1].push({ rule });
    else groups[failing.has(rule.id) ? 2 : 3].push({ rule });
  }
  const broken = brokenViews(registry).map((view): Entry => ({ broken: view }));
  groups[0] = [...groups[0], ...broken].toSorted((a, b) => compare((a.rule ?? a.broken).id, (b.rule ?? b.broken).id));
  return groups.flat();
}

/** The sorted rules of each rule set, because sorting thousands of ids takes longer than the rest of a page. */
const sorted = new WeakMap<readonly Rule[], readonly Rule[]>();

function byId(rules: readonly Rule[]): readonly Rule[] {
  const known = sorted.get(rules) ?? rules.toSorted((a, b) => compare(a.id, b.id));
  sorted.set(rules, known);
  return known;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
