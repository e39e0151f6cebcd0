import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { SocialAsync } from '#src/social/social.ts';
import { openSocial, type SandboxGround } from '../../adapters/sandbox/open-social.ts';
import { signedIn } from '../../adapters/sandbox/signed-in.ts';

test('who quoted a post is listed once each, the latest first, and quotes are counted', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const [ada, grace] = [await signedIn(ground, 'ada'), await signedIn(ground, 'grace')];
  const post = await social.createPost('first');

  await grace.createPost('look', { quote: post.id });
  await ada.createPost('look', { quote: post.url });
  await ground.clock.advance(1000);
  await ada.createPost('look again', { quote: post });
  const lists = await Promise.all([post.id, post.url ?? '', post].map(async (form) => (await social.getPostQuotes(form)).items));

  expect(lists[0]).toEqual([await social.getUserInfo('ada'), await social.getUserInfo('grace')]);
  expect(lists.slice(1)).toEqual([lists[0], lists[0]]);
  expect((await social.postDetail(post)).counts.quotes).toBe(3);
});

test('comments are threads: each answer with all that was said below it, by depth', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signedIn(ground, 'ada');
  const post = await social.createPost('root');

  const one = await ada.createPost('1', { replyTo: post });
  const below = await social.createPost('1.1', { replyTo: one });
  const deep = await ada.createPost('1.1.1', { replyTo: below });
  const second = await social.createPost('1.2', { replyTo: one });
  const two = await ada.createPost('2', { replyTo: post });
  const lists = await Promise.all([post.id, post.url ?? '', post].map(async (form) => (await social.getPostComments(form)).items));

  const seen = await Promise.all([one, below, deep, second, two].map((each) => social.postDetail(each)));
  const [root, ...replies] = seen;
  expect(lists[0]).toEqual([
    {
      id: one.id,
      root,
      replies: [
        { depth: 1, post: replies[0] },
        { depth: 2, post: replies[1] },
        { depth: 1, post: replies[2] },
      ],
      hiddenCount: 0,
    },
    { id: two.id, root: replies[3], replies: [], hiddenCount: 0 },
  ]);
  expect(lists.slice(1)).toEqual([lists[0], lists[0]]);
  expect(seen.map(({ conversationId }) => conversationId)).toEqual(seen.map(() => post.id));
});

test('hidden answers are left out with all below them, unless they are asked for', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const ada = await signedIn(ground, 'ada');
  const post = await social.createPost('root');
  const kept = await ada.createPost('kept', { replyTo: post });
  const rude = await ada.createPost('rude', { replyTo: kept });
  await ada.createPost('below', { replyTo: rude });
  const worse = await ada.createPost('worse', { replyTo: post });

  const statuses = [await hide(ground, rude.id), await hide(ground, worse.id), await hide(ground, post.id)];
  const shown = await ada.getPostComments(post);
  const all = await ada.getPostComments(post, { getHidden: true });

  expect(statuses).toEqual([200, 200, 400]);
  expect(shown.items).toMatchObject([{ id: kept.id, replies: [], hiddenCount: 1 }]);
  expect(all.items.map(({ root }) => [root.text, root.hidden])).toEqual([
    ['kept', undefined],
    ['worse', true],
  ]);
  expect(all.items[0]?.replies.map(({ post: { text, hidden } }) => [text, hidden])).toEqual([
    ['rude', true],
    ['below', undefined],
  ]);
});

test('more comments than a page come on the next one, each once', async () => {
  await using ground = await openSocial();
  const social = new SocialAsync(ground);
  const post = await social.createPost('root');
  const answers: string[] = [];
  for (let count = 0; count < 23; count++) answers.push((await social.createPost(`${count}`, { replyTo: post })).id);

  const first = await social.getPostComments(post);
  const all = await social.getPostComments(post, { pages: 'all', waitTime: 0 });

  expect(first.length).toBe(20);
  expect(all.items.map(({ id }) => id)).toEqual(answers);
});

async function hide({ sandbox }: SandboxGround, post: string): Promise<number> {
  const { status } = await fetch(`${sandbox.url}/control/social/hide`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ post }),
  });
  return status;
}
