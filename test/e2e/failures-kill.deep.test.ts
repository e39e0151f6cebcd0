import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../support/fanfare-process.ts';
import { openKilledFanfare, stateOf, type KilledFanfare } from '../support/killed-fanfare.ts';

const ITEMS_PER_KILL = 3;

/** While a message about a failure is sent, while posts are sent and refused, or while the feeds are read. */
const REQUESTS = [
  { platform: 'discord', method: 'POST', route: '/messages' },
  { platform: 'social', route: '/createPost' },
  { platform: 'feeds' },
] as const;

/** A refused search for a lost post would leave the decision to a person. */
const POST = { platform: 'social', method: 'POST', route: '/createPost', except: '/recover', kind: 'status', times: 1 } as const;
/** Fanfare repeats a post after 503, so the post is refused after younger ones, or is sent. After 422, the post fails. */
const STATUSES = [422, 503] as const;

const watching = (kind: string): string =>
  `when: { every: 5s, watch: feed.getItems, with: { url: https://items.example/feed.json }, where: item.title.startsWith("${kind} ") }`;

const RULES = {
  posts: `
id: posts
${watching('post')}
then:
  - { do: social.createPost, with: { text: "\${{ item.title }}" } }
fuse: { firings: 1000, per: 1h }
`,
  // The platform refuses each reply, because its post does not exist.
  replies: `
id: replies
${watching('reply')}
then:
  - { do: social.createPost, with: { text: "\${{ item.title }}", replyTo: missing } }
fuse: { firings: 1000, per: 1h }
`,
  failures: `
id: failures
when: { every: 5s, watch: history.getDeliveries, with: { state: failed } }
then:
  - { do: discord.send, with: { channel: live, content: "\${{ item.rule }} failed: \${{ item.text }}" } }
fuse: { firings: 1000, per: 1h }
`,
};

const Posts = z.object({ items: z.array(z.object({ text: z.string() })) });
const Messages = z.object({ items: z.array(z.object({ content: z.string() })) });

async function posted(fanfare: KilledFanfare): Promise<readonly string[]> {
  return Posts.parse(await fanfare.seen('/posts')).items.map(({ text }) => text);
}

/** The announced failures, with repeated ones. */
async function announced(fanfare: KilledFanfare): Promise<readonly string[]> {
  const { items } = Messages.parse(await fanfare.seen('/messages?channel=live&limit=500'));
  return items.flatMap(({ content }) => /^(?:posts|replies) failed: .*$/u.exec(content) ?? []);
}

test.for([stateOf(0)])('each failed delivery is announced once, although processes are killed: %s', async (state) => {
  await using fanfare = await openKilledFanfare({ state, rules: RULES });
  const { random, sandbox } = fanfare;
  const posts: string[] = [];
  const replies: string[] = [];
  const publish = async (kind: 'post' | 'reply', titles: string[]): Promise<string> => {
    const title = `${kind} ${titles.length + 1}`;
    titles.push(title);
    await fanfare.order('/feeds', { feed: 'items.example', title });
    return title;
  };
  const publishSome = async (): Promise<void> => {
    await publish('reply', replies);
    for (let count = 0; count < ITEMS_PER_KILL; count++) {
      const status = random.pick<number | undefined>([...STATUSES, undefined]);
      if (status !== undefined) sandbox.faults.add({ ...POST, status });
      await publish('post', posts);
    }
  };
  const untilTrue = async (what: string, isTrue: () => Promise<boolean>): Promise<unknown> =>
    eventually(what, isTrue).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify([posts, replies, await posted(fanfare), await announced(fanfare)])}\n${fanfare.output()}`, {
        cause: error,
      });
    });

  for (const awaited of random.shuffled(REQUESTS).slice(0, fanfare.kills)) await fanfare.killDuring(awaited, publishSome);
  sandbox.faults.clear();
  // At least one post is not refused.
  await publish('post', posts);
  await untilTrue('the end of all posts', async () => {
    const deliveries = [...(await fanfare.deliveriesOf('posts')), ...(await fanfare.deliveriesOf('replies'))];
    const areSettled = deliveries.every((delivery) => delivery.state === 'sent' || delivery.state === 'failed');
    return areSettled && deliveries.length >= posts.length + replies.length;
  });
  // A failure that is announced late or twice comes before the announcement of the last failure, which needs two more polls.
  sandbox.faults.add({ ...POST, status: STATUSES[0] });
  const refused = await publish('post', posts);
  await untilTrue('the message about a refused post', async () => (await announced(fanfare)).includes(`posts failed: ${refused}`));
  const last = await publish('reply', replies);
  await untilTrue('the message about the last reply', async () => (await announced(fanfare)).includes(`replies failed: ${last}`));
  await untilTrue('the end of all messages', async () =>
    (await fanfare.deliveriesOf('failures')).every((delivery) => delivery.state === 'sent'),
  );

  const sent = await posted(fanfare);
  const failed = posts.filter((title) => !sent.includes(title));
  expect(sent.toSorted()).toEqual(posts.filter((title) => !failed.includes(title)).toSorted());
  expect(sent.length).toBeGreaterThan(0);
  const expected = [...failed.map((title) => `posts failed: ${title}`), ...replies.map((title) => `replies failed: ${title}`)];
  expect((await announced(fanfare)).toSorted()).toEqual(expected.toSorted());
});
