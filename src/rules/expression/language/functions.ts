import type { Environment } from '@marcbachmann/cel-js';
import { plain } from '#src/operation/text/plain.ts';
import { countGraphemes } from '#src/operation/text/graphemes.ts';
import { shorten } from '#src/operation/text/shorten.ts';
import { durationText } from '../../wording/duration-text.ts';
import { compactText, dateSpeaker } from '../spoken.ts';
import { asText, valueOf } from './operators.ts';
import { isEmpty, type CelDuration } from './results.ts';
import { registerRx } from './rx.ts';

const DURATION = 'google.protobuf.Duration';
const INSTANT = 'google.protobuf.Timestamp';

/** Makes known what expressions can call beyond the standard. What is absent goes in and comes out as empty text. */
export function registerFunctions(environment: Environment): void {
  const register = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  registerNumbers(register);
  registerTimes(register);
  registerTexts(register);
  registerLists(register);
  registerRx(environment);
}

type Register = (signature: string, handler: (...values: never[]) => unknown) => void;

function registerNumbers(register: Register): void {
  for (const type of ['int', 'double', 'optional<int>', 'optional<double>']) {
    register(`compact(${type}): string`, (n: unknown) => whereThere(n, compactText));
    register(`duration(${type}): string`, (ms: unknown) => whereThere(ms, (present: number | bigint) => durationText(Number(present))));
    if (type.startsWith('optional')) register(`string(${type}): string`, asText);
  }
}

function registerTimes(register: Register): void {
  const speak = dateSpeaker();
  const say = (instant: unknown, zone: string, style = 'medium'): string =>
    whereThere(instant, (present: Date) => speak(present, zone, style));
  register(`duration(${DURATION}): string`, (length: CelDuration) => durationText(Number(length.getMilliseconds())));
  for (const type of [INSTANT, `optional<${INSTANT}>`]) {
    register(`date(${type}, string): string`, say);
    register(`date(${type}, string, string): string`, say);
    register(`string(${type}): string`, (instant: unknown) => whereThere(instant, (present: Date) => present.toISOString()));
  }
}

function registerTexts(register: Register): void {
  register('truncate(string, int): string', (text: string, max: bigint) => shorten(text, Math.max(0, Number(max)), countGraphemes));
  register('plain(string): string', plain);
  register('join(list<string>, string): string', (texts: readonly string[], between: string) => texts.join(between));
}

function registerLists(register: Register): void {
  register('top(list<A>, int): list<A>', (list: readonly unknown[], n: bigint) => list.slice(0, Math.max(0, Number(n))));
  register('sum(list<int>): int', (numbers: readonly bigint[]) => numbers.reduce((sum, n) => sum + n, 0n));
  register('sum(list<double>): double', (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0));
  register('sum(list<optional<int>>): int', (numbers: readonly unknown[]) =>
    numbers.map(valueOf).reduce((sum: bigint, n) => (typeof n === 'bigint' ? sum + n : sum), 0n),
  );
  register('either(A, A): A', (first: unknown, second: unknown) => (isEmpty(first) ? second : first));
  register('either(optional<A>, A): A', (first: unknown, second: unknown) => valueOf(first) ?? second);
}

function whereThere<T>(value: unknown, say: (present: T) => string): string {
  const present = valueOf(value);
  return present === undefined ? '' : say(present as T); // the signature says what it is
}
