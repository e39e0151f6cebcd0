import type { Journal } from '#sandbox/journal.ts';
import type { FollowGraph, People } from '#sandbox/social/people.ts';
import type { StoredPost } from '#sandbox/social/posts.ts';

export const ME = 'fanfare';
/** Ids that are numbers, as other platforms have them: only so can a call give one as a number. */
export const ROOT = '1400';
export const LIST = '2001';
export const FOREIGN_LIST = '2101';
export const MESSAGE = '4711';
/** More than two pages. */
export const MANY = 45;
export const MINUTE_MS = 60_000;

/** What the past is made from. */
export interface Past {
  readonly store: Journal;
  readonly people: People;
  readonly graph: FollowGraph;
  readonly chatter: readonly StoredPost[];
  readonly nowMs: number;
}

/** Ids of people who let everybody read. */
export function openPeople({ people }: Pick<Past, 'people'>): readonly string[] {
  return people.others.flatMap(({ id }) => (people.isProtected(id) ? [] : [id]));
}

export function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
