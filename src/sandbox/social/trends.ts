import type { Trends } from '#src/social/records/gathering.ts';
import { fold, spelledHashtagsIn } from './hashtags.ts';
import type { Moment } from './moment.ts';

const TRENDS = 20;
const DAY_MS = 86_400_000;

interface Counted {
  /** As it was spelt last. */
  readonly name: string;
  readonly posts: number;
}

/** The hashtags that the viewer could read in the most posts of the last day. */
export function trendsAt({ feed, now }: Moment): readonly Trends[] {
  const counts = new Map<string, Counted>();
  for (const { text } of feed.all().filter(({ createdAtMs }) => createdAtMs > now.getTime() - DAY_MS)) {
    const named = new Map(spelledHashtagsIn(text).map((name) => [fold(name), name]));
    for (const [tag, name] of named) {
      const known = counts.get(tag);
      counts.set(tag, { name: known?.name ?? name, posts: (known?.posts ?? 0) + 1 });
    }
  }
  return [...counts]
    .toSorted(([tag, a], [other, b]) => b.posts - a.posts || tag.localeCompare(other))
    .slice(0, TRENDS)
    .map(([, { name, posts }], index) => ({ rank: index + 1, name, kind: 'hashtag', postCount: posts }));
}
