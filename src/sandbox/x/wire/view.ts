import type { JsonObject } from '#src/operation/json.ts';
import type { StoredPost } from '../../social/posts.ts';
import { postId } from '../ids/post-ids.ts';
import type { XRequest } from '../request.ts';
import type { Kind } from './fields.ts';

/** What turns records into answers: the request that asked, and what went wrong with parts of it. */
export interface View extends Pick<XRequest, 'moment' | 'meeting' | 'viewer' | 'asked' | 'media' | 'mutes' | 'findPost' | 'settings'> {
  readonly errors: JsonObject[];
}

export function viewOf(request: XRequest): View {
  return { ...request, errors: [] };
}

/** Each field of a kind of record, made only where it is wanted. */
export type Makers<T> = Readonly<Record<string, (item: T, view: View) => JsonObject[string]>>;

/** A record with the fields that were asked for, and those that an expansion needs. */
export function made<T>(
  makers: Makers<T>,
  item: T,
  { kind, view, also = [] }: { readonly kind: Kind; readonly view: View; readonly also?: readonly string[] },
): JsonObject {
  const wanted = new Set([...view.asked.fields(kind), ...also]);
  const fields = Object.entries(makers).flatMap(([name, make]) => {
    const value = wanted.has(name) ? make(item, view) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

/** The id of a post by what the stage calls it, also of one that was deleted; undefined where nobody knows of it any more. */
export function referenceId(storedId: string, { moment, meeting }: Pick<View, 'moment' | 'meeting'>): string | undefined {
  const post = findReferenced(storedId, { moment, meeting });
  return post && postId(post);
}

export function findReferenced(storedId: string, { moment, meeting }: Pick<View, 'moment' | 'meeting'>): StoredPost | undefined {
  return moment.feed.find(storedId) ?? meeting.written.find(storedId);
}

/** An instant as X writes it. */
export function instant(atMs: number): string {
  return new Date(atMs).toISOString();
}
