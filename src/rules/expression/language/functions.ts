import { Optional, type Environment } from '@marcbachmann/cel-js';
import { plain } from '#src/clients/operation/text/sanitize.ts';
import { countGraphemes } from '#src/clients/operation/text/characters.ts';
import { shorten } from '#src/clients/operation/text/shorten.ts';
import { formatDuration } from '#src/rules/messages/format.ts';
import { formatCompact, createDateFormatter } from '../formats.ts';
import { asText, valueOf, withoutNoise } from './operators.ts';
import { isEmpty, type CelDuration } from './results.ts';
import { registerListLoops } from './list-loops.ts';
import { RE2JS } from 're2js';
import { DURATION, INSTANT, type CelType, type Node } from './tree.ts';

/** Registers the functions beyond the CEL standard. An absent value makes empty text. */
export function registerFunctions(environment: Environment): void {
  const register = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  registerNumbers(register);
  registerTimes(register);
  registerTexts(register);
  registerLists(register);
  registerListLoops(environment);
  registerRx(environment);
}

type Register = (signature: string, handler: (...values: never[]) => unknown) => void;

function registerNumbers(register: Register): void {
  for (const type of ['int', 'double', 'optional<int>', 'optional<double>']) {
    register(`compact(${type}): string`, (n: unknown) => whereThere(n, formatCompact));
    register(`duration(${type}): string`, (ms: unknown) => whereThere(ms, (present: number | bigint) => formatDuration(Number(present))));
    if (type.startsWith('optional')) register(`string(${type}): string`, asText);
  }
}

function registerTimes(register: Register): void {
  const formatDate = createDateFormatter();
  const format = (instant: unknown, zone: string, style = 'medium'): string =>
    whereThere(instant, (present: Date) => formatDate(present, zone, style));
  register(`duration(${DURATION}): string`, (length: CelDuration) => formatDuration(Number(length.getMilliseconds())));
  for (const type of [INSTANT, `optional<${INSTANT}>`]) {
    register(`date(${type}, string): string`, format);
    register(`discordTime(${type}): string`, formatDiscordTime);
    register(`discordTime(${type}, string): string`, formatDiscordTime);
    register(`date(${type}, string, string): string`, format);
    register(`string(${type}): string`, (instant: unknown) => whereThere(instant, (present: Date) => present.toISOString()));
  }
}

/** A time that Discord shows in the time zone and the language of each reader. */
function formatDiscordTime(instant: unknown, style = 'f'): string {
  return whereThere(instant, (present: Date) => `<t:${Math.floor(present.getTime() / 1000)}:${style}>`);
}

function registerTexts(register: Register): void {
  register('truncate(string, int): string', (text: string, max: bigint) => shorten(text, Math.max(0, Number(max)), countGraphemes));
  register('plain(string): string', plain);
  register('hashtag(string): string', hashtag);
  for (const type of ['string', 'int', 'double']) register(`fill(string, map<string, ${type}>): string`, fill);
  register('join(list<string>, string): string', (texts: readonly string[], between: string) => texts.join(between));
}

/** A name as one hashtag on all networks: letters and digits, with a capital letter at the start of each further word. Without a letter, it is no tag. */
function hashtag(name: string): string {
  const [first = '', ...others] = name.replaceAll(/['’]/gu, '').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const tag = [first, ...others.map((word) => word.replace(/^\p{L}/u, (letter) => letter.toUpperCase()))].join('');
  return /\p{L}/u.test(tag) ? `#${tag}` : '';
}

/** Replaces each `{name}` by its value, once: a value that looks like a placeholder stays. */
function fill(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/gu, (placeholder, name: string) => {
    return Object.hasOwn(values, name) ? asText(values[name]) : placeholder;
  });
}

function registerLists(register: Register): void {
  register('top(list<A>, int): list<A>', (list: readonly unknown[], n: bigint) => list.slice(0, Math.max(0, Number(n))));
  for (const type of ['int', 'double', 'optional<int>', 'optional<double>']) {
    const isWhole = type.includes('int');
    register(`sum(list<${type}>): ${isWhole ? 'int' : 'double'}`, (numbers: readonly unknown[]) => sum(numbers, isWhole));
    register(`average(list<${type}>): optional<double>`, average);
  }
  register('either(A, A): A', (first: unknown, second: unknown) => (isEmpty(first) ? second : first));
  register('either(optional<A>, A): A', (first: unknown, second: unknown) => valueOf(first) ?? second);
}

/** The sum of the numbers that are present. A list of any values can have decimal numbers although its type is that of whole numbers. */
function sum(numbers: readonly unknown[], isWhole: boolean): bigint | number {
  const present = presentIn(numbers);
  return isWhole && present.every((n) => typeof n === 'bigint')
    ? present.reduce((total, n) => total + n, 0n)
    : withoutNoise(present.reduce((total: number, n) => total + Number(n), 0));
}

/** The average of the numbers that are present; absent without any. */
function average(numbers: readonly unknown[]): unknown {
  const present = presentIn(numbers);
  return Optional.of(present.length === 0 ? undefined : withoutNoise(Number(sum(present, false)) / present.length));
}

function presentIn(numbers: readonly unknown[]): readonly (bigint | number)[] {
  return numbers.map(valueOf).filter((n) => typeof n === 'bigint' || typeof n === 'number');
}

function whereThere<T>(value: unknown, format: (present: T) => string): string {
  const present = valueOf(value);
  return present === undefined ? '' : format(present as T); // the signature has the type
}

interface Checker {
  check(node: Node, context: unknown): CelType;
  getType(name: string): CelType;
  createError(code: string, message: string, node: Node | undefined): Error;
}

interface Evaluator {
  run(node: Node, context: unknown): unknown;
}

/** Registers `rx(text, "pattern")`, which searches in linear time. The pattern compiles with the expression. */
function registerRx(environment: Environment): void {
  environment.registerFunction('rx(ast, ast): bool', readRx, { async: false });
}

function readRx({ args: [text, pattern] }: { readonly args: readonly Node[] }) {
  let compiled: RE2JS | undefined;
  return {
    async: false,
    typeCheck(checker: Checker, _macro: unknown, context: unknown): CelType {
      if (!text || checker.check(text, context).name !== 'string') {
        throw checker.createError('rx', 'rx needs text to search in', text);
      }
      if (pattern?.op !== 'value' || typeof pattern.args !== 'string') {
        throw checker.createError('rx', 'the pattern of rx must be fixed text in quotes', pattern);
      }
      compiled = compile(pattern.args, (message) => checker.createError('rx', message, pattern));
      return checker.getType('bool');
    },
    evaluate(evaluator: Evaluator, _macro: unknown, context: unknown): boolean {
      return text !== undefined && compiled !== undefined && compiled.test(String(evaluator.run(text, context)));
    },
  };
}

function compile(pattern: string, error: (message: string) => Error): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (problem) {
    throw error(problem instanceof Error ? problem.message : 'the pattern of rx is not valid');
  }
}
