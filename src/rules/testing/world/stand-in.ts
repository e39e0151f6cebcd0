import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonList, isJsonObject, type Json } from '#src/operation/json.ts';
import type { PlannedStep } from '../../firing.ts';
import type { Poll } from '../../poll.ts';
import type { Rule } from '../../rule.ts';
import { shapeOf, type Shape } from '../../shape/shape.ts';
import { makeWhole } from './made-record.ts';
import type { TestPoll } from '../rule-tests.ts';

/** Stands in the place of all platforms in one case: answers what the case says, and makes up the rest. */
export class StandIn {
  readonly #rule: Rule;
  readonly #catalogue: Catalogue;
  readonly #complain: (complaint: string) => void;
  /** When each thing was there first, by what it is made from. */
  readonly #began = new Map<string, string>();
  readonly #shapes = new Map<string, Shape>();
  /** How often each step was done. */
  readonly #times = new Map<string, number>();

  constructor({
    rule,
    catalogue,
    complain,
  }: {
    readonly rule: Rule;
    readonly catalogue: Catalogue;
    readonly complain: (complaint: string) => void;
  }) {
    this.#rule = rule;
    this.#catalogue = catalogue;
    this.#complain = complain;
  }

  /** What the poll says to the rule. */
  pollOf({ line, items, error }: TestPoll, slotMs: number): Poll | undefined {
    if (error !== undefined) return { failure: error };
    const { watched } = this.#rule;
    if (watched && !items) this.#complain(`line ${line}: the rule watches ${watched.verb}: say what the poll read, or that it failed`);
    if (!watched && items) this.#complain(`line ${line}: the rule watches nothing, so there are no items`);
    if (!watched || !items) return undefined;
    const shape = this.#shapeOf(watched.verb);
    const read = items.map((part, i) => this.#record(shape, part, { slotMs, seed: `item-${i + 1}`, where: `line ${line}: items[${i}]` }));
    return { items: read.filter(isJsonObject), complete: true };
  }

  /** What a step gives when it is done: what the case answers, else what can be made of the step's name. */
  resultOf({ step }: PlannedStep, { line, answers }: TestPoll, slotMs: number): Json | undefined {
    const name = step.id ?? step.do.split('.').at(-1) ?? step.do;
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    const shape = this.#shapeOf(step.do);
    const answer = answers[name];
    const record = (part: Json | undefined, seed: string): Json | undefined => {
      return this.#record(shape, part, { slotMs, seed, where: `line ${line}: answers.${name}` });
    };
    if (this.#catalogue.get(step.do)?.kind !== 'list') return shape.kind === 'flag' ? true : record(answer, `${name}-${times}`);
    const parts = isJsonList(answer) ? answer : [answer ?? []].flat();
    return { items: parts.flatMap((part, i) => record(part, `${name}-${i + 1}`) ?? []) };
  }

  /** What one record of an operation looks like. */
  #shapeOf(verb: string): Shape {
    const known = this.#shapes.get(verb);
    if (known) return known;
    const declared = this.#catalogue.get(verb);
    const shape: Shape = declared ? shapeOf(declared.kind === 'list' ? declared.item : declared.returns) : { kind: 'anything' };
    this.#shapes.set(verb, shape);
    return shape;
  }

  #record(
    shape: Shape,
    given: Json | undefined,
    { slotMs, seed: name, where }: { readonly slotMs: number; readonly seed: string; readonly where: string },
  ): Json | undefined {
    const { key = isJsonObject(given) ? given['id'] : undefined, ...rest } = isJsonObject(given) ? given : {};
    const seed = typeof key === 'string' || typeof key === 'number' ? String(key) : name;
    const now = new Date(slotMs).toISOString();
    // A record that does not say when it began, began when it was there first.
    const thing = JSON.stringify([seed, rest['id']]);
    const began = this.#began.get(thing) ?? now;
    this.#began.set(thing, began);
    return makeWhole(shape, {
      part: isJsonObject(given) ? rest : given,
      seed,
      began,
      now,
      complain: (complaint) => this.#complain(`${where}.${complaint}`),
    });
  }
}
