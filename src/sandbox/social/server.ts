import { Hono } from 'hono';
import { z } from 'zod';
import type { PlatformServer, SandboxContext } from '../context.ts';
import { socialApi } from './api.ts';
import { Bookmarks } from './bookmarks.ts';
import { chatterOf } from './chatter.ts';
import { communitiesOf } from './communities.ts';
import { resonanceOf } from './crowd/resonance.ts';
import { feedOf } from './feed.ts';
import { followGraphOf } from './follow-graph.ts';
import { UserLists } from './lists.ts';
import { mediaRoutes } from './media-routes.ts';
import { gifRoutes } from './gifs/routes.ts';
import { groupControl } from './messaging/control.ts';
import { Talks } from './messaging/talks.ts';
import { socialPages } from './pages.ts';
import { peopleOf } from './people.ts';
import { postControl } from './post-control.ts';
import { WrittenPosts } from './posts.ts';
import type { Moment } from './moment.ts';
import { Reactions } from './reactions.ts';
import { Relations } from './relations.ts';
import { createSessions, SELF_TOKEN } from './sessions.ts';
import { Uploads } from './uploads.ts';
import { visibleTo } from './visibility.ts';
import { Votes } from './votes.ts';
import type { WorldPerson } from '../world/world.ts';

const NAME = 'social';
const Session = z.object({ user: z.string() });

/** The sandbox's own social platform: its API, its pages, and the truth about what was written to it. */
export function socialServer({ world, clock, faults, journal, url, lively }: SandboxContext): PlatformServer {
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
  const sessions = createSessions(journal, people);

  function currentMoment(viewer?: WorldPerson): Moment {
    const now = new Date(clock.nowMs());
    const visible = visibleTo(viewer, { people, relations, communities });
    const feed = feedOf({ written, chatter, visible, audience: { now, people, reactions, relations } });
    return {
      now,
      url: `${url()}/${NAME}`,
      viewer,
      people,
      games: world.games,
      communities,
      feed,
      relations,
      bookmarks,
      reactions,
      votes,
    };
  }

  const routes = new Hono();
  routes.route(
    '/api',
    socialApi({
      sessions,
      meet: (path, viewer) => ({
        moment: currentMoment(viewer),
        viewer,
        written,
        lists,
        uploads,
        talks,
        fault: (kind) => faults.take(kind, { platform: NAME, method: 'POST', path }),
      }),
    }),
  );
  routes.route('/', mediaRoutes({ uploads, chatter, clock }));
  routes.route('/', gifRoutes());
  routes.route(
    '/',
    socialPages(() => currentMoment()),
  );

  const control = new Hono();
  control.post('/social/sessions', async (c) => {
    const { user } = Session.parse(await c.req.json());
    const person = people.find(user);
    return person ? c.json({ token: sessions.open(person) }) : c.json({ error: `there is nobody called ${user}` }, 400);
  });
  control.route('/social/groups', groupControl({ talks, people, clock }));
  control.route('/', postControl({ written, currentMoment }));

  return {
    name: NAME,
    routes,
    control,
    environment: () => ({ SANDBOX_URL: `${url()}/${NAME}/api`, SANDBOX_TOKEN: SELF_TOKEN }),
  };
}
