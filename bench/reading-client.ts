// Reads ten pages of a hundred posts with one client, and reports the processor time of the first walk and of the following ones.
import http from 'node:http';
import https from 'node:https';
import { POST_FIELDS } from '#adapters/x/wire/fields.ts';

const [, , client = '', url = '', walks = '1'] = process.argv;
const PAGES = 10;

/** Reads all posts and the fields that rules use. Each returns the number of complete posts. */
const readers: Readonly<Record<string, () => Promise<() => Promise<number>>>> = {
  async x() {
    const { x } = await import('#adapters/x/index.ts');
    const { SocialAsync } = await import('#src/clients/social/social.ts');
    const social = new SocialAsync({ platform: x({ url, bearerToken: 'bearer' }) });
    return async () => complete((await social.getPosts('1000', { pages: PAGES, waitTime: 0, replies: true })).items);
  },
  async bluesky() {
    const { bluesky } = await import('#adapters/bluesky/index.ts');
    const { SocialAsync } = await import('#src/clients/social/social.ts');
    const social = new SocialAsync({ platform: bluesky({ url, handle: 'ada.test', appPassword: 'abcd-efgh-ijkl-mnop' }) });
    return async () =>
      complete((await social.getPosts('did:plc:ewvi7nxzyoun6zhxrhs64oiz', { pages: PAGES, waitTime: 0, replies: true })).items);
  },
  async 'twitter-api-v2'() {
    const { TwitterApi } = await import('twitter-api-v2');
    const { v2 } = new TwitterApi('bearer').readOnly;
    // The client has no option for another address, and always uses TLS.
    Object.assign(v2, { _prefix: `${url}/2/` });
    Object.assign(https, { request: http.request });
    const fields = POST_FIELDS[1];
    return async () => {
      const timeline = await v2.userTimeline('1000', { max_results: 100, ...fields });
      await timeline.fetchLast(PAGES * 100 - 100);
      const { includes } = timeline;
      const authors = new Map(includes.users.map((user) => [user.id, user]));
      return timeline.tweets.filter((tweet) => {
        const author = authors.get(tweet.author_id ?? '');
        return tweet.text && tweet.created_at && author?.username && (tweet.public_metrics?.like_count ?? -1) >= 0;
      }).length;
    };
  },
  async '@atproto/api'() {
    const { AtpAgent } = await import('@atproto/api');
    const agent = new AtpAgent({ service: url });
    await agent.login({ identifier: 'ada.test', password: 'abcd-efgh-ijkl-mnop' });
    return async () => {
      const posts = [];
      let cursor: string | undefined;
      do {
        const { data } = await agent.getAuthorFeed({ actor: 'did:plc:ewvi7nxzyoun6zhxrhs64oiz', limit: 100, ...(cursor && { cursor }) });
        posts.push(...data.feed);
        cursor = data.cursor;
      } while (cursor);
      return posts.filter(({ post }) => post.record['text'] && post.indexedAt && post.author.handle && (post.likeCount ?? -1) >= 0).length;
    };
  },
};

function complete(posts: readonly { text: string; createdAt: Date; author: { handle: string }; counts: { likes: number } }[]): number {
  return posts.filter(({ text, createdAt, author, counts }) => text && createdAt && author.handle && counts.likes >= 0).length;
}

const read = await readers[client]?.();
if (!read) throw new Error(`${client}?`);
const cpuMs: number[] = [];
let posts = 0;
for (let walk = 0; walk < Number(walks); walk++) {
  const before = process.cpuUsage();
  posts = await read();
  const { user, system } = process.cpuUsage(before);
  cpuMs.push((user + system) / 1000);
}
process.send?.({ posts, cpuMs });
process.exit();
