import type { SandboxContext } from '../context.ts';
import type { FaultKind, FaultOrder, FaultedRequest } from '../faults.ts';
import { Bookmarks } from './bookmarks.ts';
import { chatterOf, type Chatter } from './chatter.ts';
import { communitiesOf } from './communities.ts';
import { resonanceOf } from './crowd/resonance.ts';
import { feedOf } from './feed.ts';
import { followGraphOf } from './follow-graph.ts';
import { UserLists } from './lists.ts';
import type { Meeting } from './meeting.ts';
import { Talks } from './messaging/talks.ts';
import type { Moment } from './moment.ts';
import { peopleOf, type People } from './people.ts';
import { WrittenPosts } from './posts.ts';
import { Reactions } from './reactions.ts';
import { Relations } from './relations.ts';
import { Uploads } from './uploads.ts';
import { visibleTo } from './visibility.ts';
import { Votes } from './votes.ts';
import type { WorldPerson } from '../world/world.ts';

/** A social platform of the world, whatever protocol it is spoken to in: its people, and all that they did there. */
export interface SocialStage {
  readonly people: People;
  readonly chatter: Chatter;
  readonly written: WrittenPosts;
  readonly uploads: Uploads;
  readonly talks: Talks;
  /** The platform as `viewer` finds it now; absent: as anybody does. */
  readonly momentFor: (viewer?: WorldPerson) => Moment;
  /** The platform as one request of `viewer` meets it. */
  readonly meet: (request: Omit<FaultedRequest, 'platform'>, viewer: WorldPerson) => Meeting;
}

export interface SocialStageOptions {
  /** The platform, as `social`: the first part of the path. */
  readonly name: string;
  readonly context: SandboxContext;
}

/** One social platform of the world; what is written to it is in the context's journal. */
export function socialStage({ name, context }: SocialStageOptions): SocialStage {
  const { world, clock, faults, journal, lively, url } = context;
  const people = peopleOf(world);
  const communities = communitiesOf(world);
  const chatter = chatterOf({ people: world.people, games: world.games, communities, mentions: lively });
  const relations = new Relations(journal, followGraphOf(people.all));
  const written = new WrittenPosts(journal, lively ? resonanceOf({ people, relations, communities }) : undefined);
  const lists = new UserLists(journal);
  const bookmarks = new Bookmarks(journal);
  const reactions = new Reactions(journal);
  const votes = new Votes(journal);
  const uploads = new Uploads(journal);
  const talks = new Talks(journal);

  function momentFor(viewer?: WorldPerson): Moment {
    const now = new Date(clock.nowMs());
    const visible = visibleTo(viewer, { people, relations, communities });
    const feed = feedOf({ written, chatter, visible, audience: { now, people, reactions, relations } });
    const shared = { people, communities, relations, bookmarks, reactions, votes };
    return { now, url: `${url()}/${name}`, viewer, games: world.games, feed, ...shared };
  }

  return {
    people,
    chatter,
    written,
    uploads,
    talks,
    momentFor,
    meet(request, viewer) {
      const fault = (kind: FaultKind): FaultOrder | undefined => faults.take(kind, { platform: name, ...request });
      return { moment: momentFor(viewer), viewer, written, lists, uploads, talks, fault };
    },
  };
}
