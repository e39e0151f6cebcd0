import type { Query } from './query.ts';

/** Lists that are ranked by viewers, unless `sort` names another order. */
const MOST_WATCHED_FIRST = new Set(['streaming.getTopStreams', 'streaming.getGameStreams']);

/**
 * Orders the items of a list that is ranked by viewers. Pages are read one after the other, so a stream on a later page may have more viewers by then,
 * and each account has its own list.
 */
export function inViewerOrder<T>({ verb, params }: Pick<Query, 'verb' | 'params'>, items: readonly T[]): readonly T[] {
  const { sort = 'VIEWER_COUNT' } = params;
  return MOST_WATCHED_FIRST.has(verb) && sort === 'VIEWER_COUNT' ? items.toSorted((a, b) => viewersOf(b) - viewersOf(a)) : items;
}

function viewersOf(item: unknown): number {
  return typeof item === 'object' && item !== null && 'viewerCount' in item ? Number(item.viewerCount) : 0;
}
