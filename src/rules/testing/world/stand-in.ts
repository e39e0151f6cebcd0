import type { Catalogue } from '#src/operation/catalogue.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/operation/json.ts';
import { itemShape } from '../../expression/item-shape.ts';
import type { PlannedStep } from '../../firing.ts';
import type { Poll } from '../../poll.ts';
import type { Rule } from '../../rule.ts';
import { withFields } from '../../shape/merge-shapes.ts';
import { shapeOf, type Shape } from '../../shape/shape.ts';
import type { TestPoll } from '../rule-tests.ts';
import { makeAnswer, makeQuestion } from './made-answer.ts';
import { makeWhole, type Making } from './made-record.ts';
import type { World } from './world.ts';

/** So many attempts of a case are refused: what it tells can be told with fewer, and nobody waits for more. */
const MOST_REFUSALS = 10_000;

export interface StandInOptions {
  readonly rule: Rule;
  readonly catalogue: Catalogue;
  readonly complain: (complaint: string) => void;
}

/** An answer that a case gives, and the line that gives it. */
interface Given {
  readonly answer: Json;
  readonly line: number;
}

/** A record that was made from a word alone. */
interface Likeness {
  readonly began: string;
  readonly record: JsonObject;
}

/**
 * Stands in the place of all platforms in one case: answers what the case says, and makes up the rest.
 *
 * What a line says of people and of targets that refuse is so until the next poll; what a step reads, until a line says otherwise.
 */
export class StandIn implements World {
  readonly #rule: Rule;
  readonly #catalogue: Catalogue;
  readonly #complain: (complaint: string) => void;
  /** When each thing was there first, by what it is made from. */
  readonly #began = new Map<string, string>();
  readonly #shapes = new Map<string, Shape>();
  readonly #likenesses = new Map<Shape, Map<string, Likeness>>();
  #now = { ms: Number.NaN, text: '' };
  /** How often each step was done. */
  readonly #times = new Map<string, number>();
  /** What reading steps read, by the step's name. */
  readonly #answers = new Map<string, Given>();
  /** The keys of the steps that were refused. */
  readonly #refused = new Set<string>();
  #refusals = 0;
  /** Answers to questions that were not asked yet, by step, with their lines. */
  readonly #unheard = new Map<string, number>();
  #line: Pick<TestPoll, 'line' | 'answers' | 'fail'> = { line: 1, answers: {}, fail: [] };

  constructor({ rule, catalogue, complain }: StandInOptions) {
    this.#rule = rule;
    this.#catalogue = catalogue;
    this.#complain = complain;
  }

  /** From now on it is as this line says. */
  turnTo({ line, restart, answers, fail }: TestPoll): void {
    if (!restart) this.end();
    for (const name of Object.keys(answers)) if (this.#asks(name) && !this.#times.has(name)) this.#unheard.set(name, line);
    for (const [name, answer] of Object.entries(answers)) this.#answers.set(name, { answer, line });
    const before = this.#line;
    // The engine stops and starts: that changes nothing out there.
    this.#line = restart ? { line, answers: { ...before.answers, ...answers }, fail: [...before.fail, ...fail] } : { line, answers, fail };
  }

  /** Complains of answers that came before their question was asked; one that comes too late may be meant. */
  end(): void {
    for (const [name, line] of this.#unheard) this.#complain(`line ${line}: answers.${name}: nobody was asked then`);
    this.#unheard.clear();
  }

  #asks(name: string): boolean {
    const { then, while: lasting, finally: closing } = this.#rule;
    const step = [...then, ...lasting, ...closing].find(({ id }) => id === name);
    const declared = step && this.#catalogue.get(step.do);
    return declared?.kind === 'write' && declared.answered === 'later';
  }

  /** What the poll says to the rule. */
  pollOf({ line, items, error }: TestPoll, slotMs: number): Poll | undefined {
    if (error !== undefined) return { failure: error };
    const { watched } = this.#rule;
    if (watched && !items) this.#complain(`line ${line}: the rule watches ${watched.verb}: say what the poll read, or that it failed`);
    if (!watched && items) this.#complain(`line ${line}: the rule watches nothing, so there are no items`);
    if (!watched || !items) return undefined;
    const shape = this.#itemShape(watched.verb);
    const read = items.map((part, i) =>
      this.#record(shape, part, { nowMs: slotMs, seed: `item-${i + 1}`, where: () => `line ${line}: items[${i}]` }),
    );
    return { items: read.filter(isJsonObject), complete: true };
  }

  /** What a step gives when it is done: what the case answers, else what can be made of the step's name. */
  resultOf({ step }: PlannedStep, nowMs: number): Json | undefined {
    const name = nameOf(step);
    const declared = this.#catalogue.get(step.do);
    const shape = this.#resultShape(step.do);
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    const made = (part: Json | undefined, seed: string): Json | undefined => {
      return this.#record(shape, part, { nowMs, seed, where: () => `line ${this.#answers.get(name)?.line}: answers.${name}` });
    };
    if (declared?.kind === 'write' && declared.answered === 'later') {
      this.#unheard.delete(name);
      return makeQuestion(made(undefined, `${name}-${times}`));
    }
    const answer = this.#answers.get(name)?.answer;
    if (declared?.kind === 'list') return { items: this.#list(answer, made, name) };
    if (shape.kind === 'flag') return true;
    if (declared?.kind === 'read' && shapeOf(declared.returns).kind === 'list') return this.#list(answer, made, name);
    return made(answer, `${name}-${times}`);
  }

  /** Whatever is refused once is refused to the last. */
  refuses({ key, step, account }: PlannedStep): boolean {
    if (this.#line.fail.includes(`${step.id}.${account}`)) this.#refused.add(key);
    if (!this.#refused.has(key)) return false;
    if (++this.#refusals <= MOST_REFUSALS) return true;
    this.#complain(
      `line ${this.#line.line}: more than ${MOST_REFUSALS} attempts are refused: let fewer fail, or give the step a shorter retry`,
    );
    return false;
  }

  answerTo({ step }: PlannedStep): JsonObject | undefined {
    const name = nameOf(step);
    const answer = this.#line.answers[name];
    if (answer === undefined) return undefined;
    const complain = (complaint: string): void => this.#complain(`line ${this.#line.line}: answers.${name}${complaint}`);
    return makeAnswer(this.#resultShape(step.do), { answer, choices: step.with['choices'], complain });
  }

  #list(answer: Json | undefined, made: (part: Json | undefined, seed: string) => Json | undefined, name: string): readonly Json[] {
    const parts = isJsonList(answer) ? answer : answer === undefined ? [] : [answer];
    return parts.flatMap((part, i) => made(part, `${name}-${i + 1}`) ?? []);
  }

  /** What one record looks like of what the rule watches. */
  #itemShape(verb: string): Shape {
    return this.#remembered(`item of ${verb}`, () => {
      const declared = this.#catalogue.get(verb);
      // A list of several kinds of records has each of them as it is.
      const shape = declared?.kind === 'list' ? shapeOf(declared.item) : itemShape(declared);
      const [account] = this.#rule.watched?.accounts ?? [];
      if (!this.#rule.names.byAccount || shape.kind !== 'record' || account === undefined) return shape;
      return withFields(shape, { account: { shape: { kind: 'text', choices: this.#rule.watched?.accounts }, optional: false } });
    });
  }

  /** What one record looks like that a step gives. */
  #resultShape(verb: string): Shape {
    return this.#remembered(verb, () => {
      const declared = this.#catalogue.get(verb);
      if (!declared) return { kind: 'anything' };
      const shape = shapeOf(declared.kind === 'list' ? declared.item : declared.returns);
      return shape.kind === 'list' ? shape.of : shape;
    });
  }

  #remembered(name: string, make: () => Shape): Shape {
    const shape = this.#shapes.get(name) ?? make();
    this.#shapes.set(name, shape);
    return shape;
  }

  #record(
    shape: Shape,
    given: Json | undefined,
    { nowMs, seed: name, where }: { readonly nowMs: number; readonly seed: string; readonly where: () => string },
  ): Json | undefined {
    const { key = isJsonObject(given) ? given['id'] : undefined, ...part } = isJsonObject(given) ? given : {};
    const seed = typeof key === 'string' || typeof key === 'number' ? String(key) : name;
    const now = this.#textOf(nowMs);
    // A record that does not say when it began, began when it was there first.
    const thing = part['id'] === undefined ? seed : `${seed}\n${JSON.stringify(part['id'])}`;
    const began = this.#began.get(thing) ?? now;
    this.#began.set(thing, began);
    const complain = (complaint: string): void => this.#complain(`${where()}.${complaint}`);
    if (!isJsonObject(given)) return makeWhole(shape, { part: given, seed, began, now, complain });
    return makeWhole(shape, { part, like: this.#likeness(shape, { seed, began, now }), seed, began, now, complain });
  }

  /** What is made from the same word whenever nothing is said of it. */
  #likeness(shape: Shape, making: Making): JsonObject | undefined {
    if (shape.kind !== 'record') return undefined;
    const known = this.#likenesses.get(shape) ?? new Map<string, Likeness>();
    this.#likenesses.set(shape, known);
    const likeness = known.get(making.seed);
    if (likeness?.began === making.began) return likeness.record;
    const record = makeWhole(shape, { ...making, complain: () => undefined });
    if (!isJsonObject(record)) return undefined;
    known.set(making.seed, { began: making.began, record });
    return record;
  }

  /** Many records are read at one instant. */
  #textOf(nowMs: number): string {
    if (this.#now.ms !== nowMs) this.#now = { ms: nowMs, text: new Date(nowMs).toISOString() };
    return this.#now.text;
  }
}

/** A step without an id is known by what it does. */
function nameOf({ id, do: verb }: PlannedStep['step']): string {
  return id ?? verb.split('.').at(-1) ?? verb;
}
