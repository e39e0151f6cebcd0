import { z } from 'zod';

/** What a call may give where an id is wanted: the id itself, or a record that has one. */
export type Choice<T extends { readonly id: string }> = string | number | T;

/** The id, handle or address that a call gave. */
export function idOf<T extends { readonly id: string }>(choice: Choice<T>): string;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined): string | undefined;
export function idOf<T extends { readonly id: string }>(choice: Choice<T> | undefined): string | undefined {
  return typeof choice === 'object' ? choice.id : choice?.toString();
}

/** A user as a parameter. */
export const userParam = z.string().min(1).describe('A handle, with or without @, or an id.');

/** A post as a parameter. */
export const postParam = z.string().min(1).describe("A post's id or its address.");
