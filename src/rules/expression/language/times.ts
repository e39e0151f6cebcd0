import { parseInstant } from '#src/http/parse-instant.ts';
import { ExpressionError } from '../expression-error.ts';
import { callArguments, calledName, DURATION, evaluationOf, INSTANT, knownTypeOf, walk, type Node } from './tree.ts';

const READ_AS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['duration', inHours],
  ['timestamp', inUtc],
]);

/**
 * Lets `duration(text)` read days, weeks and spaces, as in `7d` of rule keys and `1h 30m` of formatted lengths, and `timestamp(text)` read a
 * time without an offset in UTC, not in the zone of the process.
 */
export function readTexts(tree: Node): void {
  walk(tree, (node) => {
    const convert = READ_AS.get(calledName(node) ?? '');
    const [text] = callArguments(node);
    if (!convert || !text) return;
    const evaluate = evaluationOf(text);
    text.evaluate = (...run) => {
      const value = evaluate(...run);
      return typeof value === 'string' ? convert(value) : value;
    };
  });
}

/** The time of a text, in UTC even without an offset. Other texts stay, also those that the library refuses because of their length. */
function inUtc(text: string): string {
  return text.length < 20 || text.length > 30 ? text : (parseInstant(text)?.toISOString() ?? text);
}

const HOURS: Readonly<Record<string, number>> = { d: 24, w: 168 };

/** A duration in the units of the library. */
function inHours(text: string): string {
  if (!/^[-+]?(?:\s*\d+(?:\.\d+)?(?:ms|[smhdw]))+$/u.test(text)) return text;
  return text
    .replace(/\s+/gu, '')
    .replace(/([\d.]+)([dw])/gu, (_part, count: string, unit: string) => `${Number(count) * (HOURS[unit] ?? 1)}h`);
}

const TIMES: ReadonlySet<string> = new Set([INSTANT, DURATION]);

/** Makes sums of timestamps and durations fail if the result is out of range, where the library returns an invalid `Date`. */
export function refuseFarTimestamps(tree: Node): void {
  walk(tree, (node) => {
    // The library states that a duration plus a timestamp is a duration.
    if ((node.op !== '+' && node.op !== '-') || !TIMES.has(knownTypeOf(node)?.name ?? '')) return;
    const evaluate = evaluationOf(node);
    node.evaluate = (...run) => {
      const value = evaluate(...run);
      if (value instanceof Date && Number.isNaN(value.getTime()))
        throw new ExpressionError('the timestamp is out of range', { at: node.start });
      return value;
    };
  });
}
