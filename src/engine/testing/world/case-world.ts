import { looksUpRecord, type Catalogue } from '#src/clients/operation/declared.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '#src/clients/operation/json.ts';
import { itemShape, withFields } from '#src/rules/shape/operation-shapes.ts';
import type { CommandUse } from '#src/rules/evaluate/command-use.ts';
import type { PlannedStep } from '#src/rules/firing.ts';
import type { Poll } from '#src/rules/poll.ts';
import type { ReceivedWebhook, Rule } from '#src/rules/rule.ts';
import { GONE, isGone } from '#src/rules/results.ts';
import { shapeOf, type Shape } from '#src/rules/shape/shape.ts';
import type { TestPoll } from '../rule-tests.ts';
import { completeAnswer, sampleQuestion, completeRecord, type Making } from './sample-record.ts';
import { rankingFault } from './ranking-order.ts';
import { sampleUse } from './sample-use.ts';
import { sampleWebhook } from './sample-webhook.ts';
import type { Occurrence, World } from './world.ts';
import { writtenPart } from './written-part.ts';

/** The maximum number of failed attempts of a case. */
const MOST_REFUSALS = 10_000;

export interface CaseWorldOptions {
  readonly rule: Rule;
  readonly catalogue: Catalogue;
  readonly reportError: (message: string) => void;
}

/** An answer of a case, and its line. */
interface CaseAnswer {
  readonly answer: Json;
  readonly line: number;
}

/** A record made from a key alone. */
interface DefaultRecord {
  readonly began: string;
  readonly record: JsonObject;
}

/**
 * The platforms of one case: results come from the case, and other records are sample records.
 *
 * Answers of people and failing targets last until the next poll. Results of reading steps last until a line changes them.
 */
export class CaseWorld implements World {
  readonly #rule: Rule;
  readonly #catalogue: Catalogue;
  readonly #reportError: (message: string) => void;
  /** The first instant of each record, by its key. */
  readonly #firstSeen = new Map<string, string>();
  readonly #shapes = new Map<string, Shape>();
  readonly #defaultRecords = new Map<Shape, Map<string, DefaultRecord>>();
  #now = { ms: Number.NaN, text: '' };
  /** The number of times that each step ran. */
  readonly #times = new Map<string, number>();
  /** The results of reading steps, by step name. */
  readonly #answers = new Map<string, CaseAnswer>();
  /** The keys of processed webhooks. */
  readonly #received = new Set<string>();
  /** The keys of refused steps. */
  readonly #refused = new Set<string>();
  #refusals = 0;
  /** The lines of answers to questions that are not asked yet, by step. */
  readonly #unaskedAnswers = new Map<string, number>();
  #line: Pick<TestPoll, 'line' | 'answers' | 'fail'> = { line: 1, answers: {}, fail: [] };

  constructor({ rule, catalogue, reportError }: CaseWorldOptions) {
    this.#rule = rule;
    this.#catalogue = catalogue;
    this.#reportError = reportError;
  }

  apply({ line, restart, answers, fail }: TestPoll): void {
    if (!restart) this.end();
    for (const name of Object.keys(answers)) if (this.#asks(name) && !this.#times.has(name)) this.#unaskedAnswers.set(name, line);
    for (const [name, answer] of Object.entries(answers)) this.#answers.set(name, { answer, line });
    const before = this.#line;
    // A restart of the engine does not change the platforms.
    this.#line = restart ? { line, answers: { ...before.answers, ...answers }, fail: [...before.fail, ...fail] } : { line, answers, fail };
  }

  /** Reports answers that came before their question. A late answer can be intended. */
  end(): void {
    for (const [name, line] of this.#unaskedAnswers) this.#reportError(`line ${line}: answers.${name}: no question was open at this time`);
    this.#unaskedAnswers.clear();
  }

  #asks(name: string): boolean {
    const { then, while: lasting, finally: closing } = this.#rule;
    const step = [...then, ...lasting, ...closing].find(({ id }) => id === name);
    const declared = step && this.#catalogue.get(step.do);
    return declared?.kind === 'write' && declared.answered === 'later';
  }

  pollOf({ line, items, error }: TestPoll, slotMs: number): Poll | undefined {
    if (error !== undefined) return { failure: error };
    const { watched } = this.#rule;
    if (watched && !items) this.#reportError(`line ${line}: the rule watches ${watched.verb}, so the poll needs items or error`);
    if (!watched && items) this.#reportError(`line ${line}: the rule has no watch, so the poll cannot have items`);
    if (!watched || !items) return undefined;
    const fault = rankingFault(watched, items, this.#catalogue);
    if (fault !== undefined) this.#reportError(`line ${line}: ${fault}`);
    const shape = this.#itemShape(watched.verb);
    const read = items.map((part, i) =>
      this.#record(shape, part, { nowMs: slotMs, seed: `item-${i + 1}`, where: () => `line ${line}: items[${i}]` }),
    );
    return { items: read.filter(isJsonObject), complete: true };
  }

  /** The use of a line; undefined: no member uses a command. */
  useOf({ line, command: given }: TestPoll, slotMs: number): CommandUse | undefined {
    const { command } = this.#rule;
    if (!given || !command) return undefined;
    return sampleUse(command, given, { atMs: slotMs, reportError: (message) => this.#reportError(`line ${line}: ${message}`) });
  }

  /** The request of a line; undefined: none arrives, or the rule processed its key before. */
  webhookOf({ line, webhook: payload }: TestPoll, slotMs: number): ReceivedWebhook | undefined {
    const { webhook } = this.#rule;
    if (!payload || !webhook) return undefined;
    const received = sampleWebhook(webhook, payload, {
      atMs: slotMs,
      reportError: (message) => this.#reportError(`line ${line}: webhook.${message}`),
    });
    if (this.#received.has(received.key)) return undefined;
    this.#received.add(received.key);
    return received;
  }

  /** The result of a step: from the case, else a sample record. */
  resultOf(
    { step }: PlannedStep,
    nowMs: number,
    { params, edited }: Pick<Occurrence, 'params' | 'edited'> = { params: {} },
  ): Json | undefined {
    const name = nameOf(step);
    const declared = this.#catalogue.get(step.do);
    const shape = this.#resultShape(step.do);
    const times = (this.#times.get(name) ?? 0) + 1;
    this.#times.set(name, times);
    const made = (part: Json | undefined, seed: string): Json | undefined => {
      return this.#record(shape, part, { nowMs, seed, where: () => `line ${this.#answers.get(name)?.line}: answers.${name}` });
    };
    if (declared?.kind === 'write' && declared.answered === 'later') {
      this.#unaskedAnswers.delete(name);
      return sampleQuestion(made(undefined, `${name}-${times}`));
    }
    const answer = this.#answers.get(name)?.answer;
    if (looksUpRecord(declared) && isGone(answer)) return GONE;
    if (declared?.kind === 'list') return { items: this.#list(answer, made, name) };
    if (shape.kind === 'flag') return true;
    if (declared?.kind === 'read' && shapeOf(declared.returns).kind === 'list') return this.#list(answer, made, name);
    const written = declared?.kind === 'write' ? writtenPart(shape, params, edited) : undefined;
    return made(written && (answer === undefined || isJsonObject(answer)) ? { ...written, ...answer } : answer, `${name}-${times}`);
  }

  /** Whether the target refuses the step. A refused step stays refused. */
  refuses({ key, step, account }: PlannedStep): boolean {
    if (this.#line.fail.some((name) => name === step.id || name === `${step.id}.${account}`)) this.#refused.add(key);
    if (!this.#refused.has(key)) return false;
    if (++this.#refusals <= MOST_REFUSALS) return true;
    this.#reportError(
      `line ${this.#line.line}: more than ${MOST_REFUSALS} attempts fail: remove targets from fail, or make the retry of the step shorter`,
    );
    return false;
  }

  answerTo({ step }: PlannedStep): JsonObject | undefined {
    const name = nameOf(step);
    const answer = this.#line.answers[name];
    if (answer === undefined) return undefined;
    const reportError = (message: string): void => this.#reportError(`line ${this.#line.line}: answers.${name}${message}`);
    return completeAnswer(this.#resultShape(step.do), { answer, choices: step.with['choices'], reportError });
  }

  #list(answer: Json | undefined, made: (part: Json | undefined, seed: string) => Json | undefined, name: string): readonly Json[] {
    const parts = isJsonList(answer) ? answer : answer === undefined ? [] : [answer];
    return parts.flatMap((part, i) => made(part, `${name}-${i + 1}`) ?? []);
  }

  /** The shape of a watched record. */
  #itemShape(verb: string): Shape {
    return this.#remembered(`item of ${verb}`, () => {
      const declared = this.#catalogue.get(verb);
      // A list of several kinds of records keeps the alternatives.
      const shape = declared?.kind === 'list' ? shapeOf(declared.item) : itemShape(declared);
      const [account] = this.#rule.watched?.accounts ?? [];
      if (!this.#rule.names.byAccount || shape.kind !== 'record' || account === undefined) return shape;
      return withFields(shape, { account: { shape: { kind: 'text', choices: this.#rule.watched?.accounts }, optional: false } });
    });
  }

  /** The shape of a step's result. */
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
    value: Json | undefined,
    { nowMs, seed: name, where }: { readonly nowMs: number; readonly seed: string; readonly where: () => string },
  ): Json | undefined {
    const { key = isJsonObject(value) ? value['id'] : undefined, ...part } = isJsonObject(value) ? value : {};
    const seed = typeof key === 'string' || typeof key === 'number' ? String(key) : name;
    const now = this.#textOf(nowMs);
    // A record without a start starts when it first appears.
    const thing = part['id'] === undefined ? seed : `${seed}\n${JSON.stringify(part['id'])}`;
    const began = this.#firstSeen.get(thing) ?? now;
    this.#firstSeen.set(thing, began);
    const reportError = (message: string): void => this.#reportError(`${where()}.${message}`);
    if (!isJsonObject(value)) return completeRecord(shape, { part: value, seed, began, now, reportError });
    return completeRecord(shape, { part, like: this.#defaultRecord(shape, { seed, began, now }), seed, began, now, reportError });
  }

  /** The default record of a key. */
  #defaultRecord(shape: Shape, making: Making): JsonObject | undefined {
    if (shape.kind !== 'record') return undefined;
    const known = this.#defaultRecords.get(shape) ?? new Map<string, DefaultRecord>();
    this.#defaultRecords.set(shape, known);
    const likeness = known.get(making.seed);
    if (likeness?.began === making.began) return likeness.record;
    const record = completeRecord(shape, { ...making, reportError: () => undefined });
    if (!isJsonObject(record)) return undefined;
    known.set(making.seed, { began: making.began, record });
    return record;
  }

  /** Caches the text of the current instant, which many records share. */
  #textOf(nowMs: number): string {
    if (this.#now.ms !== nowMs) this.#now = { ms: nowMs, text: new Date(nowMs).toISOString() };
    return this.#now.text;
  }
}

/** The id of a step, else the name of its operation. */
function nameOf({ id, do: verb }: PlannedStep['step']): string {
  return id ?? verb.split('.').at(-1) ?? verb;
}
