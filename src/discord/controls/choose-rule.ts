import { UserError } from '#src/errors.ts';
import type { Words } from '../language/words.ts';
import { escaped } from '../text/foreign-text.ts';
import type { Controls, DecidedItem, KnownRule } from './controls.ts';
import { namedBy } from './short-name.ts';

const NAMED = 10;

interface Chooser {
  readonly controls: Controls;
  readonly words: Words;
}

/** The rules that somebody means who typed this: one, or all instances of a rule. */
export async function rulesMeant(typed: string, { controls, words }: Chooser): Promise<readonly [KnownRule, ...KnownRule[]]> {
  const wanted = typed.trim();
  const known = await controls.rules();
  const exact = known.filter(({ id }) => id === wanted);
  const [first, ...others] = exact.length > 0 ? exact : known.filter(({ name }) => name === wanted);
  if (!first) throw new UserError(words.controls.errors.noRule(escaped(wanted, 100)));
  return [first, ...others];
}

/** The one rule that somebody means. */
export async function ruleMeant(typed: string, chooser: Chooser): Promise<KnownRule> {
  const [rule, ...others] = await rulesMeant(typed, chooser);
  if (others.length === 0) return rule;
  const some = [rule, ...others].slice(0, NAMED).map(({ id }) => escaped(id, 80));
  throw new UserError(chooser.words.controls.errors.manyRules(escaped(typed, 80), some.join(', ') + (others.length < NAMED ? '' : ', …')));
}

/** The rule whose short name stands on a button. */
export async function ruleNamed(short: string, { controls, words }: Chooser): Promise<KnownRule> {
  const known = await controls.rules();
  const id = namedBy(
    short,
    known.map((rule) => rule.id),
  );
  const rule = known.find((one) => one.id === id);
  if (!rule) throw new UserError(words.controls.errors.noRule(escaped(short, 100)));
  return rule;
}

/** The key of the item that somebody means who typed this: a key, or the name with which its reason begins. */
export function itemMeant(typed: string, items: readonly DecidedItem[]): string {
  const wanted = typed.toLowerCase();
  const found = items.find(({ key }) => key === typed) ?? items.find(({ reason }) => reason.toLowerCase().startsWith(`${wanted} `));
  return found?.key ?? typed;
}

/** The ids, and the names that stand for several, which hold what is typed; those that begin with it first. */
export function suggested(typed: string, known: readonly KnownRule[]): readonly string[] {
  const wanted = typed.trim().toLowerCase();
  const names = [...new Set(known.flatMap(({ id, name }) => (id === name ? [id] : [name, id])))];
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string): boolean => name.toLowerCase().startsWith(wanted);
  return [...fitting.filter(begins), ...fitting.filter((name) => !begins(name))];
}
