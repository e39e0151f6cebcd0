import { isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { boundedKey } from '#src/rules/bounded-key.ts';
import { episodeStepOf } from '#src/rules/expression/reads.ts';
import type { Inputs } from '#src/rules/expression/expression.ts';
import type { Element } from '#src/rules/element.ts';
import type { StepResult, StepResults } from '#src/rules/results.ts';
import type { Scope } from '#src/rules/rule.ts';
import type { Step, StepNames } from '#src/rules/step.ts';

/** A record that a step edits, as earlier steps through its account left it. */
export interface EditedRecord {
  /** Its last result. */
  readonly result?: Json | undefined;
  /** The pings with which it was sent. */
  readonly mention?: Json | undefined;
}

export interface InputsOptions {
  readonly step: Step;
  readonly names: StepNames;
  readonly scope: Scope;
  /** The account of the step, for `steps.<id>.own`. */
  readonly account: string;
  readonly results: StepResults;
  /** The element of `forEach`. */
  readonly element?: Element | undefined;
}

/** The values of the names in a step's expressions. */
export function inputsOf({ step, names, scope, account, results, element }: InputsOptions): Inputs {
  const steps: [string, Json | undefined][] = [];
  const ofEpisode: [string, Json | undefined][] = [];
  for (const [name, its] of Object.entries(results)) {
    const earlier = episodeStepOf(name);
    const id = earlier ?? name;
    const some = earlier === undefined ? steps : ofEpisode;
    some.push([id, resultOf(its, { first: firstOf(its, names.accounts?.[id], step), account })]);
  }
  return {
    ...scope,
    ...(ofEpisode.length > 0 && { episode: { ...scope.episode, steps: Object.fromEntries(ofEpisode) } }),
    now: nowOf(scope.now, step),
    steps: Object.fromEntries(steps) as JsonObject, // the entries are JSON values
    ...(element && { it: element.it, index: element.index }),
  };
}

/** The slot, or the end of the waits above the step. */
function nowOf(slot: string, { afterMs = 0 }: Step): string {
  return new Date(Date.parse(slot) + afterMs).toISOString();
}

/**
 * The account whose result a step reads. All Discord accounts are servers of one bot, so after an edit of the accounts, it still edits what it sent
 * through an account before.
 */
function firstOf(results: readonly StepResult[], named: readonly string[] | undefined, { do: verb }: Step): string | undefined {
  const isNamed = results.some(({ account }) => named?.includes(account));
  return named && (isNamed || !verb.startsWith('discord.')) ? named[0] : results[0]?.account;
}

/** The result of the first account, with `own` and `on` for the results of other accounts. */
function resultOf(
  results: readonly StepResult[],
  { first, account }: { readonly first: string | undefined; readonly account: string },
): Json | undefined {
  const by = new Map(results.map((one) => [one.account, one.result]));
  const result = by.get(first ?? '');
  if (result !== undefined && !isJsonObject(result)) return result;
  if (by.size === 0) return undefined;
  // Not enumerable: a step can pass the whole record on.
  return Object.defineProperties({ ...result }, { own: { value: by.get(account) }, on: { value: Object.fromEntries(by) } });
}

const LONGEST_KEY = 100;

/** The elements of a list, with keys that stay equal when the list is evaluated again. */
export function elementsOf(list: readonly Json[]): readonly Element[] {
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  return list.map((it, index) => {
    const plain = keyOf(it, index);
    let [count, key] = [counts.get(plain) ?? 0, ''];
    // Of two elements with one key, only one would be sent.
    do {
      count++;
      key = count === 1 ? plain : `${plain}#${count}`;
    } while (taken.has(key));
    counts.set(plain, count);
    taken.add(key);
    return { key, it, index };
  });
}

/** The key of an element: its id, its name, the id of its item, itself, or its index. */
function keyOf(it: Json, index: number): string {
  const record = isJsonObject(it) ? it : {};
  const item = isJsonObject(record['item']) ? record['item'] : {};
  const known = [record['id'], record['key'], record['name'], item['id'], it].find((one) => typeof one === 'string' && one !== '');
  if (typeof known !== 'string') return String(typeof it === 'number' ? it : index);
  return boundedKey(known, LONGEST_KEY);
}
