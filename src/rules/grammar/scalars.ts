import { z } from 'zod';
import { DURATION, parseDuration } from '#src/clients/operation/duration.ts';
import { LEAST_REPEAT_MS } from '#src/rules/repeats.ts';

/** A duration. */
export const duration = z
  .string()
  .regex(DURATION, { error: 'not a duration: write it as 90s, 1h30m or 7d' })
  .refine((text) => !DURATION.test(text) || parseDuration(text) !== undefined, { error: 'a duration is at most ten years' });

const LEAST_AGE_MS = 1_000;

/** A duration of at least a second, for the key `key`. */
function aSecondOrMore(key: string) {
  return duration.refine((text) => (parseDuration(text) ?? LEAST_AGE_MS) >= LEAST_AGE_MS, { error: `${key} is at least 1s` });
}

/** A greatest age. */
export const maxAge = aSecondOrMore('maxAge');

/** The time for an answer. */
export const answerWithin = aSecondOrMore('answerWithin');

/** The time between two runs of a step of `while`. */
export const stepEvery = duration.refine((text) => (parseDuration(text) ?? LEAST_REPEAT_MS) >= LEAST_REPEAT_MS, {
  error: 'every of a step is at least 1m',
});

/** The text of an expression. */
export const condition = z.string().min(1);

/** The name of an operation. */
export const verb = z.string().regex(/^[a-z]\w*\.[a-z]\w*$/iu, { error: 'not an operation: write it as streaming.getStreams' });

export const accountNames = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** Whether `as` names the account that read the item, instead of a fixed account. */
export function isItemAccount(as: unknown): boolean {
  return typeof as === 'string' && /^\s*\$\{\{\s*item\.account\s*\}\}\s*$/u.test(as);
}

/** The parameters in `with`. The operation checks them. */
export const parameters = z.record(z.string(), z.unknown());

/** Names that an expression cannot read after a dot. */
const UNREADABLE: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null', 'constructor', '__proto__']);

/** Whether an expression can read this name. */
export function isReadable(name: string): boolean {
  return /^[A-Za-z_]\w{0,63}$/u.test(name) && !UNREADABLE.has(name);
}

export const stepId = z
  .string()
  .regex(/^[A-Za-z]\w{0,63}$/u, { error: 'the id of a step has letters, digits and _, and starts with a letter' })
  .refine((id) => !UNREADABLE.has(id), { error: 'this name is reserved: choose another id' });
