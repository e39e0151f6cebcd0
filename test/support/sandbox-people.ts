import { sandbox } from '#adapters/sandbox/index.ts';
import type { Clock } from '#src/clock.ts';
import { generatePosts } from '#sandbox/social/generated-posts.ts';
import { communitiesOf } from '#sandbox/social/communities.ts';
import { type People, peopleOf } from '#sandbox/social/people.ts';
import type { StoredPost } from '#sandbox/social/posts.ts';
import type { WorldPerson } from '#sandbox/world/world.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import type { SandboxFixture } from '../adapters/sandbox/open-social.ts';
import { controlApi } from './control-api.ts';

/** All of a list, without a pause. */
export const ALL = { pages: 'all', waitTime: 0 } as const;

/** A client that is signed in as a person of the world. */
export async function signIn(
  { sandbox: running, clock }: Pick<SandboxFixture, 'sandbox'> & { readonly clock: Clock },
  user: string,
): Promise<SocialAsync> {
  const { token } = await controlApi(running.url)<{ readonly token: string }>('/social/sessions', { user });
  return new SocialAsync({ platform: sandbox({ url: running.environment['SANDBOX_URL'] ?? '', token, clock }), clock });
}

/** All people with an account. */
export function accountsOf({ sandbox: { world } }: SandboxFixture): People {
  return peopleOf(world);
}

/** All generated posts, newest first, with any visibility. */
export function chatterNow({ sandbox: { world }, clock }: SandboxFixture): readonly StoredPost[] {
  const { people, games } = world;
  const posts = generatePosts({ people, games, communities: communitiesOf(world) }).at(clock.nowMs());
  return posts.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
}

/** A person with posts that only followers can read. */
export function protectedPerson(fixture: SandboxFixture): WorldPerson {
  const people = accountsOf(fixture);
  const post = chatterNow(fixture).find(
    ({ authorId, replyTo, community }) => people.isProtected(authorId) && replyTo === undefined && community === undefined,
  );
  const person = post && people.find(post.authorId);
  if (!person) throw new Error('no protected person has a post');
  return person;
}
