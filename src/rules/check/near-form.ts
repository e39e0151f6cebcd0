import type { z } from 'zod';
import type { Json } from '#src/operation/json.ts';
import { DURATION } from '#src/operation/duration.ts';
import { quoted } from '../document/value-line.ts';
import { textOf, type Shape } from '../shape/shape.ts';
import { closestName } from '../wording/closest-name.ts';

const MOST_CHARACTERS = 100;

/** The text nearest to the one that is given which has the form that was wanted: `moved-rule` of `Moved Rule`. */
export function nearForm(issue: z.core.$ZodIssue, value: string): string | undefined {
  if (issue.code !== 'invalid_format' || issue.pattern === undefined || value.length > MOST_CHARACTERS) return undefined;
  const [, source = '', flags] = /^\/(.*)\/([a-z]*)$/su.exec(issue.pattern) ?? [];
  const form = new RegExp(source, flags);
  if (source === DURATION.source && /^\d{1,6}$/u.test(value)) return `${value}s, ${value}m or ${value}h`;
  return candidates(value.trim()).find((one) => form.test(one));
}

/** A name, as ids of rules and of steps have it; a length of time in its short form. */
function candidates(text: string): readonly string[] {
  const dashed = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-|-$/gu, '');
  const length = text.toLowerCase().replace(/(\d)\s*([smhdw])[a-z]*\s*/gu, '$1$2');
  return [length, dashed, text.replace(/\W+/gu, '_')].filter((one) => one !== '');
}

/** The list that was probably meant by what stands where a list is wanted. */
export function listedForm(value: Json, shape: Shape | undefined): string | undefined {
  const element = elementOf(shape);
  if (element === undefined || value === null || Array.isArray(value)) return undefined;
  if (typeof value === 'object') return 'begin it with - , or put [ ] around it';
  const text = textOf(element);
  if (typeof value !== 'string' || text === undefined) return undefined;
  const meant = text.choices ? closestName(value, text.choices) : value;
  if (meant === undefined || meant.length > MOST_CHARACTERS) return undefined;
  return `write [${/^[\w-]+$/u.test(meant) ? meant : quoted(meant)}]`;
}

function elementOf(shape: Shape | undefined): Shape | undefined {
  if (shape?.kind === 'either') return shape.of.map(elementOf).find((one) => one !== undefined);
  return shape?.kind === 'list' ? shape.of : undefined;
}
