import type { z } from 'zod';

/**
 * What it means that an item is missing from an answer:
 * - `live`: it has ended;
 * - `ranking`: it is below what was looked at;
 * - `feed`: nothing;
 * - `set`: it is gone, if the whole list was read;
 * - `one`: the list is of one.
 */
export type Watch = 'live' | 'ranking' | 'feed' | 'set' | 'one';

/** Whether a write makes something new each time, or brings about a state that a repeat leaves as it is. */
export type Effect = 'creates' | 'sets';

/** A read that answers once. */
export interface DeclaredRead<P = unknown, R = unknown> {
  readonly kind: 'read';
  readonly name: string;
  /** What it answers can be watched: as a list of one, or, where it answers a list, as that. */
  readonly watch?: 'one' | 'ranking' | undefined;
  readonly params: z.ZodType<P>;
  readonly returns: z.ZodType<R>;
}

/** A write. */
export interface DeclaredWrite<P = unknown, R = unknown> {
  readonly kind: 'write';
  readonly name: string;
  readonly effect: Effect;
  /** A person answers it, and not the platform: what a call gives is the question, and the rest of it comes later. */
  readonly answered?: 'later' | undefined;
  readonly params: z.ZodType<P>;
  readonly returns: z.ZodType<R>;
}

/** A read that answers in pages. */
export interface DeclaredList<P = unknown, T = unknown> {
  readonly kind: 'list';
  readonly name: string;
  readonly watch: Watch;
  readonly params: z.ZodType<P>;
  /** The record that an item is. */
  readonly item: z.ZodType<T>;
  /** The class of the container that the items come in. */
  readonly into: { readonly name: string };
}

/** What is known of an operation without calling it. */
export type Declared = DeclaredRead | DeclaredWrite | DeclaredList;
