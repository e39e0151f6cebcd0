import { z } from 'zod';
import { ValidationError } from '#src/errors.ts';

/** An id or a name in a call. */
export type IdValue = string | number | bigint;

/**
 * The text of an id; `path` is the parameter that an error names.
 *
 * A JavaScript number above 2^53 has lost digits and would be the id of something else, so it is refused.
 */
export function idText(id: IdValue, path: string): string {
  if (typeof id === 'string') return id;
  if (typeof id !== 'number' && typeof id !== 'bigint') {
    throw new ValidationError(`${path}: an id is text or a number, not ${typeNameOf(id)}.`, { path });
  }
  if (id >= 0 && (typeof id === 'bigint' || Number.isSafeInteger(id))) return String(id);
  const isTooLarge = typeof id === 'number' && Number.isInteger(id) && id > 0;
  const reason = isTooLarge ? 'a JavaScript number does not keep all digits of an id this large' : 'an id has digits only';
  throw new ValidationError(`${path}: ${id} is not an id: ${reason}. Pass the id as a string.`, { path });
}

/**
 * The text of an id, or the id of a record.
 *
 * An object without an id, for example a promise that is not awaited, must not count as an argument that is left out.
 */
export function idOfChoice(choice: IdValue | { readonly id: string }, path: string): string {
  if (!isObject(choice)) return idText(choice, path);
  if (typeof choice.id === 'string') return choice.id;
  const remedy =
    choice instanceof Promise ? 'a promise: write await before it' : 'an object without an id: pass an id, or a record with an id';
  throw new ValidationError(`${path}: this is ${remedy}.`, { path });
}

/** Whether a value has fields. Callers without types can pass null. */
export function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null;
}

/** The type of an argument, as errors name it: `string`, `null` or `array`. */
export function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Converts the elements of a list in a call. The schema of the operation rejects any other value. */
export function eachOf<T, R>(values: readonly T[], convert: (value: T, index: number) => R): R[];
export function eachOf<T, R>(values: readonly T[] | undefined, convert: (value: T, index: number) => R): R[] | undefined;
export function eachOf<T, R>(values: readonly T[] | undefined, convert: (value: T, index: number) => R): R[] | undefined {
  return Array.isArray(values) ? values.map(convert) : (values as undefined); // a value without a list's type goes to the schema
}

/**
 * Spaces, and the invisible characters of names that were copied from a page or a chat. The lookbehind keeps the time linear in the number of spaces
 * inside.
 */
const AROUND = /^[\s\u200b-\u200f\u2060]+|(?<![\s\u200b-\u200f\u2060])[\s\u200b-\u200f\u2060]+$/gu;

/** A name without spaces around it and `@` in front. */
export function bareName(name: string): string {
  return name.replace(AROUND, '').replace(/^@/u, '');
}

/** A user parameter: a handle, with or without `@`, or an id. */
export function userText(): z.ZodString {
  return z.string().overwrite(bareName).min(1).meta({ isUser: true });
}

/** Whether a text parameter names a user. */
export function isUserText(schema: z.ZodType): boolean {
  return schema.meta()?.['isUser'] === true;
}

/** The name or the id of a role, or `everyone`. */
export function roleText(): z.ZodString {
  return z.string().min(1).meta({ isRole: true });
}

/** Whether a text parameter names a role. */
export function isRoleText(schema: z.ZodType): boolean {
  return schema.meta()?.['isRole'] === true;
}

/** A text of a record that never has capitals, for example the code of a language. */
export function lowerCaseText(): z.ZodString {
  return z.string().meta({ isLowerCase: true });
}

/** Whether a text never has capitals. */
export function isLowerCaseText(schema: z.ZodType): boolean {
  return schema.meta()?.['isLowerCase'] === true;
}

/** The name of a channel in a record. Platforms for streams write it in small letters. */
export function channelHandle(): z.ZodString {
  return z.string().meta({ isHandle: true });
}

/** Whether a text is the name of a channel. */
export function isChannelHandle(schema: z.ZodType): boolean {
  return schema.meta()?.['isHandle'] === true;
}

/** Declares that a text is an address in the web, which a message shows or opens. */
export function webAddress(): z.ZodString {
  return z.string().meta({ isAddress: true });
}

/** Whether a text parameter is an address in the web. */
export function isWebAddress(schema: z.ZodType): boolean {
  return schema.meta()?.['isAddress'] === true;
}

/** The markup of a text at its destination, for escaping untrusted text in it. */
export type TextKind =
  /** Discord's Markdown. */
  | 'markdown'
  /** A post: plain text in which `@name` is a mention. */
  | 'post'
  /** A message in a chat, which some first characters make a command. */
  | 'chat';

/** A text parameter in Discord's Markdown. */
export function markdownText(): z.ZodString {
  return z.string().meta({ text: 'markdown' satisfies TextKind });
}

/** The text parameter of a post. */
export function postText(): z.ZodString {
  return z.string().meta({ text: 'post' satisfies TextKind });
}

/** The text parameter of a message in a chat. */
export function chatText(): z.ZodString {
  return z.string().meta({ text: 'chat' satisfies TextKind });
}

/** The markup of a text parameter; undefined without markup. */
export function textKind(schema: z.ZodType): TextKind | undefined {
  const kind = schema.meta()?.['text'];
  return kind === 'markdown' || kind === 'post' || kind === 'chat' ? kind : undefined;
}

/** How a text names a file: by its path on this machine, or by a path or an address. */
export type FileTextKind = 'path' | 'pathOrAddress';

/** Declares that a text names a file. Untrusted text in it must not choose a file of this machine. */
export function fileText(schema: z.ZodString, kind: FileTextKind): z.ZodString {
  return schema.meta({ file: kind });
}

/** How a text parameter names a file; undefined if it names no local file. */
export function fileTextKind(schema: z.ZodType): FileTextKind | undefined {
  const kind = schema.meta()?.['file'];
  return kind === 'path' || kind === 'pathOrAddress' ? kind : undefined;
}

/**
 * Declares an optional parameter that names the place of a write: its channel, its recipient, or the post that it answers.
 *
 * If a rule has the parameter and its value is empty, nothing is written. The result would be in another place.
 */
export function belonging<S extends z.ZodType>(schema: S): S {
  return schema.meta({ belonging: true });
}

/** Whether a parameter names the place of a write. */
export function isBelonging(schema: z.core.$ZodType): boolean {
  return z.globalRegistry.get(schema)?.['belonging'] === true;
}

/** An instant parameter: a `Date`, or ISO 8601 with its offset. */
export function instant(): z.ZodType<Date, Date | string> {
  return z
    .union([z.date(), z.iso.datetime({ offset: true })], { error: 'expected a valid Date, or text such as 2030-12-24T18:00:00Z' })
    .transform((value) => new Date(value));
}
