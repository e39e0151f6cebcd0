import { expect, test } from 'vitest';
import { PlatformError } from '#src/errors.ts';
import { recoverWrite } from '#src/operation/perform.ts';
import type { Recovery } from '#src/operation/platform.ts';
import { createPost } from '#src/social/posts.ts';
import type { Post } from '#src/social/records/post.ts';
import type { User } from '#src/social/records/user.ts';
import { SocialAsync, type SocialPlatform } from '#src/social/social.ts';
import type { ManualClock } from '../support/manual-clock.ts';

/** A platform to test an adapter on, and the truth about it. */
export interface SocialGround extends AsyncDisposable {
  readonly platform: SocialPlatform;
  readonly clock: ManualClock;
  /** The signed-in user. */
  readonly handle: string;
  /** Somebody else, who has written more than a page of posts and some replies. */
  readonly other: string;
  /** The texts that the signed-in user wrote and did not delete, oldest first, whatever reads show. */
  standing(): Promise<readonly string[]>;
  /** The next write is made, and its answer lost. */
  loseNextAnswer(): void;
  /** The next write is lost on its way. */
  loseNextRequest(): void;
}

export type OpenSocial = () => Promise<SocialGround>;

const HOSTILE = '@everyone [free](https://evil.example) \u202Egnp.exe <script>alert(1)</script> Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤a̴̵̞ "\' \\ 😀👩‍👩‍👧 \n second line';

/** What every social adapter promises. */
export function isSocial(open: OpenSocial): void {
  test('a post stands on the platform letter for letter, and its record says so', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const post = await social.createPost(HOSTILE);

    expect(await ground.standing()).toEqual([HOSTILE]);
    expect(post).toMatchObject({ platform: ground.platform.name, text: HOSTILE, createdAt: new Date(ground.clock.nowMs()) });
    expect(post.author.handle).toBe(ground.handle);
    expect(URL.canParse(post.url ?? '')).toBe(true);
    expect(await newest(social, ground.handle)).toEqual(post);
  });

  test('a write that is repeated with its key makes one post', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const first = await social.createPost('once', { key: 'k1', since: now(ground) });
    const second = await social.createPost('once', { key: 'k1', since: now(ground) });
    const other = await social.createPost('once', { key: 'k2', since: now(ground) });

    expect(second.id).toBe(first.id);
    expect(other.id).not.toBe(first.id);
    expect(await ground.standing()).toEqual(['once', 'once']);
  });

  test('a post whose answer was lost is found again, and no second one is made', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);
    const since = now(ground);
    ground.loseNextAnswer();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const recovery = await recover(social, 'lost', { key: 'k', since });

    expect(fault).toBe('unanswered');
    expect(recovery).toMatchObject({ found: { text: 'lost' } });
    expect(await ground.standing()).toEqual(['lost']);
  });

  test('a post that never arrived is known to be absent', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);
    const since = now(ground);
    await social.createPost('lost', { key: 'another', since });
    ground.loseNextRequest();

    const fault = await faultOf(social.createPost('lost', { key: 'k', since }));
    const recovery = await recover(social, 'lost', { key: 'k', since, taken: new Set([(await newest(social, ground.handle)).id]) });

    expect(fault).toBe('unanswered');
    expect(recovery).toBe('absent');
  });

  test('a reply and a quote say what they refer to', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);
    const post = await social.createPost('first');

    const reply = await social.createPost('second', { replyTo: post });
    const quote = await social.createPost('third', { quote: post.id });

    expect(reply.replyTo).toMatchObject({ postId: post.id });
    expect(quote.quoted).toMatchObject({ postId: post.id, state: 'accepted' });
    await expect(social.createPost('fourth', { replyTo: 'no-such-post' })).rejects.toMatchObject({ fault: 'missing' });
  });

  test('a post that was deleted is gone, and deleting it again is no failure', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);
    const post = await social.createPost('short-lived');
    await social.createPost('stays');

    expect(await social.deletePost(post)).toBe(true);
    expect(await social.deletePost(post)).toBe(true);

    expect(await ground.standing()).toEqual(['stays']);
    expect((await social.getPosts(ground.handle)).items.map(({ text }) => text)).toEqual(['stays']);
  });

  test("somebody else's post cannot be deleted", async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    await expect(social.deletePost(await newest(social, ground.other))).rejects.toMatchObject({ fault: 'forbidden' });
  });

  test('posts come newest first, each once, however the walk is cut', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const whole = await social.getPosts(ground.other, { pages: 'all', waitTime: 0 });
    const first = await social.getPosts(ground.other);
    const rest = await social.getPosts(ground.other, {
      pages: 'all',
      waitTime: 0,
      ...(first.cursor !== undefined && { cursor: first.cursor }),
    });

    const instants = whole.items.map(({ createdAt }) => createdAt.getTime());
    expect(first.hasNext).toBe(true);
    expect(new Set(whole.items.map(({ id }) => id)).size).toBe(whole.length);
    expect(instants).toEqual(instants.toSorted((a, b) => b - a));
    expect([...first, ...rest].map(({ id }) => id)).toEqual(whole.items.map(({ id }) => id));
  });

  test('replies are left out unless they are asked for', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const without = await social.getPosts(ground.other, { pages: 'all', waitTime: 0 });
    const all = await social.getPosts(ground.other, { pages: 'all', waitTime: 0, replies: true });

    expect(all.items.some(({ replyTo }) => replyTo)).toBe(true);
    expect(without.items.map(({ id }) => id)).toEqual(all.items.filter(({ replyTo }) => !replyTo).map(({ id }) => id));
  });

  test('a search finds the posts with a hashtag and no others', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);
    const post = await social.createPost('We are live! #fanfaretest');
    await social.createPost('Not this one: #fanfaretesting');
    await ground.clock.advance(1000);
    const later = await social.createPost('#FanfareTest again');

    const found = await social.search('#fanfaretest', { filter: 'Latest' });

    expect(found.items.map(({ id }) => id)).toEqual([later.id, post.id]);
  });

  test('a search for people finds users', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const [user] = await social.search(ground.other, { filter: 'People' });

    expect(user).toEqual(await social.getUserInfo(ground.other));
  });

  test('a user is found by handle, by @handle and by id; nobody named is the signed-in user', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    const user: User = await social.getUserInfo(ground.other);
    const me = await social.getUserInfo();
    const both = await social.getUserInfo([ground.handle, ground.other]);

    expect(user).toMatchObject({ handle: ground.other, createdAt: expect.any(Date) });
    expect(await social.getUserInfo(`@${ground.other}`)).toEqual(user);
    expect(await social.getUserInfo(user.id)).toEqual(user);
    expect(me.handle).toBe(ground.handle);
    expect(both).toEqual([me, user]);
  });

  test('who is not there is missing', async () => {
    await using ground = await open();
    const social = new SocialAsync(ground);

    await expect(social.getUserInfo('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
    await expect(social.getPosts('nobody_at_all')).rejects.toMatchObject({ fault: 'missing' });
  });
}

function now({ clock }: SocialGround): Date {
  return new Date(clock.nowMs());
}

async function newest(social: SocialAsync, user: string): Promise<Post> {
  const [post] = await social.getPosts(user);
  if (!post) throw new Error(`${user} wrote nothing`);
  return post;
}

async function faultOf(write: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await write.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof PlatformError ? error.fault : undefined;
}

function recover(
  social: SocialAsync,
  text: string,
  { key, since, taken = new Set() }: { readonly key: string; readonly since: Date; readonly taken?: ReadonlySet<string> },
): Promise<Recovery<unknown>> {
  return recoverWrite(social, createPost.declared, { text }, { key, since, taken });
}
