import type { WorldGame, WorldPerson } from '../world/world.ts';
import type { Bookmarks, Reactions, Votes } from './reactions.ts';
import type { Communities } from './communities.ts';
import type { Feed } from './feed.ts';
import type { People } from './people.ts';
import type { Relations } from './relations.ts';

/** The platform as one viewer sees it at one instant. */
export interface Snapshot {
  readonly now: Date;
  /** Absent if no account is signed in. */
  readonly viewer: WorldPerson | undefined;
  /** The URL of its pages, such as `http://127.0.0.1:8081/social`. */
  readonly url: string;
  readonly people: People;
  readonly games: readonly WorldGame[];
  readonly communities: Communities;
  /** The posts that the viewer can see. */
  readonly feed: Feed;
  readonly relations: Relations;
  readonly bookmarks: Bookmarks;
  readonly reactions: Reactions;
  readonly votes: Votes;
}
