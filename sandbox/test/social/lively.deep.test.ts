import { fetch } from 'undici';
import { expect, test } from 'vitest';
import type { Post } from '#src/clients/social/records/post.ts';
import { SocialAsync } from '#src/clients/social/social.ts';
import { openSocial, type SandboxFixture } from '../../../test/adapters/sandbox/open-social.ts';
import { ALL, accountsOf, signIn } from '../../../test/support/sandbox-people.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const POSTS = 8;

test('people like, repost and answer a post only in its first hour', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);
  const posts = await writeMany(social);

  const at = [await countsOf(social, posts)];
  for (const wait of [10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS]) {
    await fixture.clock.advance(wait);
    at.push(await countsOf(social, posts));
  }
  const [none, soon, late, later] = at;

  expect(none).toEqual({ likes: 0, reposts: 0, replies: 0 });
  expect(soon?.likes).toBeGreaterThan(POSTS);
  expect(late?.likes).toBeGreaterThan(soon?.likes ?? 0);
  expect(late?.reposts).toBeGreaterThan(0);
  expect(late?.replies).toBeGreaterThan(0);
  expect(later).toEqual(late);
});

test('counts and lists of generated reactions agree, and generated replies are mentions', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);
  const [before, posts] = [await mentionsOf(social), await writeMany(social)];
  await fixture.clock.advance(HOUR_MS);

  const comments: Post[] = [];
  for (const { id } of posts) {
    const { counts } = await social.postDetail(id);
    const answers = (await social.getPostComments(id, ALL)).items.map(({ root }) => root);
    const lists = [await social.getPostLikes(id, ALL), await social.getPostReposts(id, ALL), answers];
    expect(lists.map(({ length }) => length)).toEqual([counts.likes, counts.reposts, counts.replies]);
    comments.push(...answers);
  }
  const mentioned = (await mentionsOf(social)).filter(({ id }) => !before.some((post) => post.id === id));

  expect(comments.length).toBeGreaterThan(0);
  expect(mentioned.filter(({ replyTo }) => replyTo).map(({ id }) => id)).toEqual(expect.arrayContaining(comments.map(({ id }) => id)));
  expect(await social.postDetail(comments[0]?.id ?? '')).toEqual(comments[0]);
});

test('posts of accounts with more followers get more reactions, up to a limit', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);
  const few = await writeMany(social);
  const fans = accountsOf(fixture).others.slice(1000, 1040);
  for (const { handle } of fans) await (await signIn(fixture, handle)).followUser('fanfare');
  const many = await writeMany(social);
  await fixture.clock.advance(HOUR_MS);

  const [before, after] = [await countsOf(social, few), await countsOf(social, many)];

  expect(after.likes).toBeGreaterThan(1.5 * before.likes);
  const { length: followers } = await social.getUserFollowers('fanfare', ALL);
  expect(after.likes).toBeLessThanOrEqual(POSTS * (3 + followers));
  expect(after.replies).toBeLessThanOrEqual(POSTS * 4);
});

test('replies, posts with a limited audience and protected posts get no generated replies', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);
  const shy = accountsOf(fixture).others.find(({ id }) => accountsOf(fixture).isProtected(id));
  const [root] = await writeMany(social);
  const answers = [];
  const closed = [];
  const hidden = [];
  const theirs = await signIn(fixture, shy?.handle ?? '');
  for (let post = 0; post < POSTS; post++) {
    answers.push(await social.createPost('And another thing', { replyTo: root?.id ?? '' }));
    closed.push(await social.createPost('Quiet please', { filter: 'Nobody' }));
    hidden.push(await theirs.createPost('Just us'));
  }
  await fixture.clock.advance(HOUR_MS);

  const [toAnswers, toClosed, toHidden] = [await countsOf(social, answers), await countsOf(social, closed), await countsOf(theirs, hidden)];

  expect([toAnswers.replies, toClosed.replies]).toEqual([0, 0]);
  expect(toClosed.likes).toBeGreaterThan(toAnswers.likes);
  expect(toHidden).toEqual({ likes: 0, reposts: 0, replies: 0 });
});

test('people vote in polls from the API until the polls close', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);
  const post = await social.createPost('tea or coffee?', { poll: { options: ['tea', 'coffee'], durationMinutes: 30 } });

  await fixture.clock.advance(HOUR_MS);
  const { poll } = await social.postDetail(post);

  expect(post.poll?.totalVotes).toBe(0);
  expect(poll?.closed).toBe(true);
  expect(poll?.totalVotes).toBeGreaterThan(2);
});

test('new generated posts mention the account', async () => {
  await using fixture = await openSocial({ lively: true });
  const social = new SocialAsync(fixture);

  const before = await mentionsOf(social);
  await fixture.clock.advance(12 * HOUR_MS);
  const fresh = (await mentionsOf(social)).filter(({ id }) => !before.some((post) => post.id === id));

  expect(fresh.length).toBeGreaterThan(2);
  expect(fresh.length).toBeLessThanOrEqual(12);
  for (const post of fresh) {
    expect(post.entities.some(({ userId }) => userId === 'fanfare')).toBe(true);
    expect(await social.postDetail(post)).toEqual(post);
  }
});

test('two sandboxes generate the same reactions, even after a restart', async () => {
  using folder = temporaryFolder();
  const file = `${folder.path}/sandbox.sqlite`;
  const written = async (fixture: SandboxFixture): Promise<readonly Post[]> => {
    const posts = await writeMany(new SocialAsync(fixture));
    await fixture.clock.advance(HOUR_MS);
    return posts;
  };
  const stateOf = async (fixture: SandboxFixture, posts: readonly Post[]): Promise<unknown> => {
    const social = new SocialAsync(fixture);
    const threads = await Promise.all(posts.map(({ id }) => social.getPostComments(id, ALL)));
    const comments = threads.flatMap(({ items }) => items.map(({ root }) => [root.id, root.author.handle, root.text]));
    return [await countsOf(social, posts), comments];
  };
  let kept: unknown;
  let posts: readonly Post[];
  {
    await using fixture = await openSocial({ lively: true, file });
    posts = await written(fixture);
    kept = await stateOf(fixture, posts);
  }

  await using other = await openSocial({ lively: true });
  await using again = await openSocial({ lively: true, file });
  await again.clock.advance(HOUR_MS);

  expect(await stateOf(other, await written(other))).toEqual(kept);
  expect(await stateOf(again, posts)).toEqual(kept);
});

test('the page of the account shows current likes after a reload, which a person asks for', async () => {
  await using fixture = await openSocial({ lively: true });
  const { url } = await new SocialAsync(fixture).createPost('ada is live!');
  const likesOn = async (): Promise<number> => {
    const page = await (await fetch(`${fixture.sandbox.url}/social/@fanfare`)).text();
    expect(page).not.toContain('http-equiv');
    expect(page).toContain('reload the page');
    return Number(/(\d+) likes?/.exec(page)?.[1]);
  };

  const before = await likesOn();
  await fixture.clock.advance(HOUR_MS);

  expect(before).toBe(0);
  expect(await likesOn()).toBeGreaterThan(0);
  expect((await fetch(url ?? '')).status).toBe(200);
});

async function writeMany(social: SocialAsync): Promise<readonly Post[]> {
  const posts: Post[] = [];
  for (let post = 0; post < POSTS; post++) posts.push(await social.createPost(`ada is live, ${post}`));
  return posts;
}

interface Counts {
  readonly likes: number;
  readonly reposts: number;
  readonly replies: number;
}

async function countsOf(social: SocialAsync, posts: readonly Post[]): Promise<Counts> {
  const all = await Promise.all(posts.map(({ id }) => social.postDetail(id)));
  const sum = (key: keyof Counts): number => all.reduce((total, { counts }) => total + counts[key], 0);
  return { likes: sum('likes'), reposts: sum('reposts'), replies: sum('replies') };
}

async function mentionsOf(social: SocialAsync): Promise<readonly Post[]> {
  return (await social.getMentions(ALL)).items;
}
