import type { WorldGame } from '../world/world.ts';
import { fold, hashtagOf, hashtagsIn } from './hashtags.ts';
import type { Feed } from './feed.ts';
import type { Moment } from './moment.ts';
import type { StoredPost } from './posts.ts';

/** A hashtag that posts are about. */
export interface StoredTopic {
  /** The hashtag, folded and without #. */
  readonly id: string;
  /** As it is shown, with #. */
  readonly name: string;
  readonly game: WorldGame | undefined;
}

/** The topic of that hashtag, with or without #: there is one for every game, and for what somebody wrote about. */
export function findTopic(given: string, { games, feed }: Pick<Moment, 'games' | 'feed'>): StoredTopic | undefined {
  const tag = `#${fold(given).replace(/^#/, '')}`;
  const id = tag.slice(1);
  const game = games.find((each) => fold(hashtagOf(each)) === tag);
  if (game) return { id, name: hashtagOf(game), game };
  return postsAbout({ id }, feed).length > 0 ? { id, name: tag, game } : undefined;
}

/** The posts with a topic's hashtag, newest first. */
export function postsAbout({ id }: Pick<StoredTopic, 'id'>, feed: Feed): readonly StoredPost[] {
  return feed.all().filter(({ text }) => hashtagsIn(text).has(`#${id}`));
}
