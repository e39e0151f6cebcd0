import { z } from 'zod';
import { idOfChoice, userText, type IdValue } from '#src/clients/operation/parameters.ts';

/** An id in a call, or a record with an id. */
export type Choice<T extends { readonly id: string }> = IdValue | T;

/** The id, handle or address of an argument; `path` is the parameter that an error names. */
export function idOf<T extends { readonly id: string }>(choice: Choice<T>, path: string): string;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined, path: string): string | undefined;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined, path: string): string | undefined {
  return choice === undefined ? undefined : idOfChoice(choice, path);
}

/** A user parameter. */
export const userParam = userText().describe('A handle, with or without @, or an id.');

/** A post parameter. */
export const postParam = z.string().min(1).describe("A post's id or its address.");

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** Whether a language code exists, for example `de` or `pt-BR`. */
function isLanguage(code: string): boolean {
  try {
    return names.of(code) !== undefined;
  } catch {
    return false;
  }
}

/** A language parameter, in canonical spelling. */
export function languageCode(): z.ZodType<string, string> {
  return z
    .string()
    .refine(isLanguage, { error: 'this is not a language code: write it as de, en or pt-BR', abort: true })
    .overwrite((code) => Intl.getCanonicalLocales(code)[0] ?? code);
}
