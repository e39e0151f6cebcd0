import { memoize } from '#src/clients/operation/memoize.ts';
import type { Undelivered } from '#src/engine/delivery/delivery-log.ts';
import type { Rule } from '#src/rules/rule.ts';
import type { AnnouncementCounts } from './announcement-counts.ts';
import type { RulesVersion, RuleView } from './records.ts';
import { brokenViews, problemsByFile, rulesVersion, ruleViews, type RuleViewOptions } from './rule-view.ts';

/** The states that a list of rules is filtered by. A running rule whose file has errors is both `on` and `broken`. */
export const LISTED_STATES = ['on', 'paused', 'failing', 'broken', 'off'] as const;
export type ListedState = (typeof LISTED_STATES)[number];

export interface RulePageQuery {
  /** A part of the id, the description or the file of a rule; absent for all rules. */
  readonly search?: string | undefined;
  /** Only rules in this state. */
  readonly state?: ListedState | undefined;
  /** By default, the rules that need an operator are first. By id, rules that are off are last. */
  readonly order?: 'urgency' | 'id' | undefined;
  /** Whether the rules have the numbers of their announcements by day. */
  readonly isCounted?: boolean | undefined;
  /** The number of the page, from 1. A number above the last page is the last page. */
  readonly page: number;
  readonly size: number;
}

/** A page of the rules and broken files. */
export interface RulePage {
  readonly items: readonly RuleView[];
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  /** The number of rules that the search found. */
  readonly found: number;
  readonly total: number;
  /** The published version; absent if the rules come from a folder. */
  readonly version?: RulesVersion | undefined;
}

interface RulePageOptions extends RuleViewOptions {
  readonly undelivered: readonly Undelivered[];
  /** The numbers of announcements of some rules by day. */
  readonly countAnnouncements: AnnouncementCounts['of'];
}

/** A rule, or a file with errors, in the list. */
type Entry = { readonly rule: Rule; readonly broken?: undefined } | { readonly rule?: undefined; readonly broken: RuleView };

type States = Readonly<Record<ListedState, (rule: Rule) => boolean>>;

/** Reads one page. Only its own rules cost queries; the order of all rules comes from memory. */
export async function rulePage(
  { search, state, order = 'urgency', isCounted = false, page, size }: RulePageQuery,
  options: RulePageOptions,
): Promise<RulePage> {
  const states = statesOf(options);
  const all = order === 'id' ? inOrderOfIds(options, states) : inOrder(options, states);
  const isWanted = state && (({ rule }: Entry) => (rule ? states[state](rule) : state === 'broken'));
  const wanted = isWanted ? all.filter(isWanted) : all;
  const found = search === undefined ? wanted : wanted.filter(containing(search.toLowerCase()));
  const pages = Math.max(1, Math.ceil(found.length / size));
  const current = Math.min(page, pages);
  const shown = found.slice((current - 1) * size, current * size);
  const views = await ruleViews(
    shown.flatMap(({ rule }) => rule ?? []),
    options,
  );
  const counts = isCounted ? await options.countAnnouncements(views.map(({ id }) => id)) : undefined;
  const byId = new Map(views.map((view) => [view.id, counts ? { ...view, announcements: counts.get(view.id) } : view]));
  const items = shown.flatMap(({ rule, broken }) => broken ?? byId.get(rule.id) ?? []);
  return { items, page: current, pages, found: found.length, total: all.length, version: rulesVersion(options.registry) };
}

function containing(text: string): (entry: Entry) => boolean {
  return ({ rule, broken }) => {
    const { id, file, about = '' } = rule ?? broken;
    return [id, about, file].some((one) => one.toLowerCase().includes(text));
  };
}

function statesOf({ registry, pauses, undelivered }: RulePageOptions): States {
  const errors = problemsByFile(registry.now.diagnostics.filter(({ severity }) => severity === 'error'));
  const failing = new Set(undelivered.map(({ rule }) => rule));
  const isPaused = (rule: Rule): boolean => registry.isOn(rule) && pauses.paused.has(rule.id);
  const broken = ({ file }: Rule): boolean => errors.has(file);
  return {
    on: (rule) => registry.isOn(rule) && !isPaused(rule),
    paused: isPaused,
    failing: (rule) => registry.isOn(rule) && failing.has(rule.id),
    broken,
    off: (rule) => !registry.isOn(rule) && !broken(rule),
  };
}

/** Files with errors, paused rules, rules with failed or unknown deliveries, other running rules, rules that are off; each by id. */
function inOrder({ registry }: RulePageOptions, { on, paused, failing, broken }: States): readonly Entry[] {
  const groups: [out: Entry[], paused: Entry[], failing: Entry[], running: Entry[], off: Entry[]] = [[], [], [], [], []];
  for (const rule of byId(registry.now.rules)) {
    if (paused(rule)) groups[1].push({ rule });
    else if (on(rule)) groups[failing(rule) ? 2 : 3].push({ rule });
    else groups[broken(rule) ? 0 : 4].push({ rule });
  }
  groups[0] = withFiles(groups[0], registry);
  return groups.flat();
}

/** A rule keeps its place while people pause and resume it. */
function inOrderOfIds({ registry }: RulePageOptions, { off }: States): readonly Entry[] {
  const groups: [shown: Entry[], off: Entry[]] = [[], []];
  for (const rule of byId(registry.now.rules)) groups[off(rule) ? 1 : 0].push({ rule });
  return [...withFiles(groups[0], registry), ...groups[1]];
}

/** Adds the files with errors that have no rule, in the order of names. */
function withFiles(rules: Entry[], registry: RulePageOptions['registry']): Entry[] {
  const files = brokenViews(registry).map((broken): Entry => ({ broken }));
  if (files.length === 0) return rules;
  return [...rules, ...files].toSorted((a, b) => compare((a.rule ?? a.broken).id, (b.rule ?? b.broken).id));
}

/** The sorted rules of each rule set, because sorting thousands of ids takes longer than the rest of a page. */
const byId = memoize((rules: readonly Rule[]): readonly Rule[] => rules.toSorted((a, b) => compare(a.id, b.id)));

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
