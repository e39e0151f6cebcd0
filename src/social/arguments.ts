import { z } from 'zod';
import { idText, userText, type IdValue } from '#src/operation/id.ts';

/** What a call may give where an id is wanted: the id itself, or a record that has one. */
export type Choice<T extends { readonly id: string }> = IdValue | T;

/** The id, handle or address that a call gave for the parameter `path`. */
export function idOf<T extends { readonly id: string }>(choice: Choice<T>, path: string): string;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined, path: string): string | undefined;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined, path: string): string | undefined {
  if (choice === undefined) return undefined;
  return typeof choice === 'object' ? choice.id : idText(choice, path);
}

/** A user as a parameter. */
export const userParam = userText().describe('A handle, with or without @, or an id.');

/** A post as a parameter. */
export const postParam = z.string().min(1).describe("A post's id or its address.");
