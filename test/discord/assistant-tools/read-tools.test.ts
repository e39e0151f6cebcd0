import { describe, expect, test } from 'vitest';
import { compact } from '#src/discord/assistant-tools/compact.ts';
import { OFFERED, WITHHELD } from '#src/discord/assistant-tools/offered-reads.ts';
import { readTools } from '#src/discord/assistant-tools/read-tools.ts';
import { catalogue } from '#src/clients/catalogue.ts';
import type { Tool, ToolContext } from '#src/clients/assistant/tools.ts';
import { silentLog } from '#src/log.ts';
import { peopleOf } from '#sandbox/social/people.ts';
import { openAssistantStage, type AssistantFixture } from './fixture.ts';

const ACCOUNTS = {
  streaming: { all: ['twitch', 'kick'], defaults: ['twitch', 'kick'] },
  social: { all: ['sandbox'], defaults: ['sandbox'] },
};

function context(signal: AbortSignal = new AbortController().signal): ToolContext {
  return { conversation: 'here', question: 'q', by: 'ada', signal };
}

function toolsOf(fixture: Pick<AssistantFixture, 'clients'>): (name: string, input: object) => Promise<string> {
  const tools = new Map(readTools({ clients: fixture.clients, accounts: ACCOUNTS, log: silentLog }).map((tool) => [tool.name, tool]));
  return async (name, input) => {
    const tool = tools.get(name);
    if (!tool) throw new Error(`there is no ${name}`);
    return (await tool.run(input, context())).text;
  };
}

function listed(): readonly Tool[] {
  return readTools({
    clients: { operationOf: () => Promise.reject(new Error('nothing is read here')) as never },
    accounts: ACCOUNTS,
    log: silentLog,
  });
}

test('every read of both clients is offered or withheld with a reason, and no write is offered', () => {
  const reads = [...catalogue].filter(([verb, { kind }]) => /^(streaming|social)\./u.test(verb) && kind !== 'write').map(([verb]) => verb);

  expect([...Object.keys(OFFERED), ...Object.keys(WITHHELD)].toSorted()).toEqual(reads.toSorted());
  expect(listed().map(({ name }) => name)).toEqual(Object.keys(OFFERED).map((verb) => verb.replace('.', '_')));
});

test('a tool has a valid name and an object schema with few pages and without a cursor', () => {
  for (const { name, description, parameters } of listed()) {
    expect(name).toMatch(/^\w{1,64}$/u);
    expect(description).toMatch(/\.$/u);
    expect(parameters).toMatchObject({ type: 'object' });
    expect(Object.keys(parameters['properties'] ?? {})).not.toContain('cursor');
  }
  expect(listed().find(({ name }) => name === 'streaming_getGameStreams')?.parameters).toMatchObject({
    required: ['game'],
    properties: { pages: { maximum: 3 }, account: { enum: ['twitch', 'kick'] } },
  });
});

test.for([
  [{ billsReads: true }, 1],
  [{ limitsSearches: true }, 1],
  [{}, 3],
] as const)('a tool reads one page of a platform that bills reads or limits searches: %j', async ([limits, pages]) => {
  let reads = 0;
  const search = async () => ({ items: [], cursor: String(++reads) });
  await using fixture = await openAssistantStage({
    platforms: ({ social, ...usual }) => ({
      ...usual,
      social: social.map((one) => ({ ...one, ...limits, operations: { ...one.operations, search } })),
    }),
  });

  await toolsOf(fixture)('social_search', { keyword: 'chess', pages: 3 });

  expect(reads).toBe(pages);
});

describe('over the sandbox', () => {
  test('every tool returns short JSON', async () => {
    await using fixture = await openAssistantStage();
    const read = toolsOf(fixture);
    const shy = new Set(fixture.sandbox.world.people.filter(({ id }) => peopleOf(fixture.sandbox.world).isProtected(id)));
    const [live] = fixture.sandbox.world.liveAt(Date.now()).filter(({ person }) => !shy.has(person));
    if (!live) throw new Error('nobody is live');
    const user = live.person.handle;
    const game = live.game.name;
    const { items: found } = JSON.parse(await read('social_search', { keyword: game })) as {
      items: { id: string; author: { handle: string } }[];
    }; // posts
    const [post] = found;
    const inputs: Readonly<Record<string, object>> = {
      getStreams: { users: [user] },
      getTeamMembers: { team: 'nightshift' },
      getSchedule: { user: 'ada' },
      getTopStreams: {},
      getTopGames: {},
      getTrends: {},
      searchGifs: { searchTerm: 'confetti' },
      search: { keyword: game },
      postDetail: { identifier: post?.id },
      postEditHistory: { identifier: post?.id },
      getCommunity: { community: 'speedrunners' },
      getCommunityMembers: { community: 'speedrunners' },
      getCommunityPosts: { community: 'speedrunners' },
      getTopic: { topic: 'speedrun' },
      getTopicPosts: { topic: 'speedrun' },
    };
    const failed: string[] = [];
    for (const verb of Object.keys(OFFERED)) {
      const name = verb.split('.')[1] ?? '';
      const input =
        inputs[name] ?? (/Game/u.test(name) ? { game } : /Post(Comments|Quotes|Reposts)/u.test(name) ? { post: post?.id } : { user });
      if (/List/u.test(name)) continue; // the account has none at first: see below
      const text = await read(verb.replace('.', '_'), input).catch((error: unknown) => String(error));
      if (!/^["{[]/u.test(text) || text.length > 8_000) failed.push(`${verb}: ${text.slice(0, 200)}`);
    }

    expect(failed).toEqual([]);
  });

  test('no tool returns posts for followers', async () => {
    await using fixture = await openAssistantStage();
    const read = toolsOf(fixture);
    const social = fixture.clients.social.get('sandbox');
    const people = peopleOf(fixture.sandbox.world);
    const shy = people.others.filter(({ id }) => people.isProtected(id));
    const followed: { readonly handle: string; readonly text: string; readonly id: string }[] = [];
    for (const { handle } of shy) {
      await social?.followUser(handle);
      const [post] = (await social?.getPosts(handle))?.items ?? [];
      if (post) followed.push({ handle, text: post.text, id: post.id });
      if (followed.length === 3) break;
    }

    const result: string[] = [];
    for (const { handle, text, id } of followed) {
      const ways = [
        ['social_getPosts', { user: handle }],
        ['social_getUserMedia', { user: handle }],
        ['social_postDetail', { identifier: id }],
        ['social_postEditHistory', { identifier: id }],
        ['social_getPostReposts', { post: id }],
        ['social_getUserFollowers', { user: handle }],
        ['social_search', { keyword: text.split(' ').slice(0, 3).join(' ') }],
      ] as const;
      for (const [name, input] of ways) {
        const answer = await read(name, input).catch((error: unknown) => String(error));
        if (answer.includes(`"id":"${id}"`) || (/"text":/u.test(answer) && answer.includes(`"handle":"${handle}"`)))
          result.push(`${name}: ${answer}`);
      }
    }

    expect(followed.length).toBe(3);
    expect(result).toEqual([]);
    await expect(read('social_getUserFollowers', { user: followed[0]?.handle })).rejects.toThrow('this user is not public');
    await expect(read('social_postEditHistory', { identifier: followed[0]?.id })).rejects.toThrow('this post is not public');
  });

  test('the members of a public list are returned', async () => {
    await using fixture = await openAssistantStage();
    const read = toolsOf(fixture);
    const social = fixture.clients.social.get('sandbox');
    const open = await social?.createList('Open', { isPrivate: false });
    const secret = await social?.createList('Hidden friends', { isPrivate: true });

    expect(await read('social_getList', { list: open?.id })).toContain('Open');
    expect(await read('social_getListMember', { list: open?.id })).toContain('"items":[]');
    expect(await read('social_getList', { list: secret?.id })).toBe('"It is not public."');
    await expect(read('social_getListMember', { list: secret?.id })).rejects.toThrow('this list is not public');
    await expect(read('social_getListPosts', { list: secret?.id })).rejects.toThrow('this list is not public');
  });

  test('a platform error has its own message, and invalid input is not sent', async () => {
    await using fixture = await openAssistantStage();
    const read = toolsOf(fixture);
    const before = await fixture.control('/requests?platform=twitch');

    await expect(read('streaming_getUser', {})).rejects.toThrow('getUser: user:');
    await expect(read('streaming_getUser', { user: 'ada', account: 'discord' })).rejects.toThrow('its account one of twitch, kick');
    await expect(read('streaming_getUser', { user: 'ada', cookies: 'x' })).rejects.toThrow('cookies');
    expect(await fixture.control('/requests?platform=twitch')).toEqual(before);
    await expect(read('streaming_getUser', { user: 'nobody_there' })).rejects.toMatchObject({ name: 'ToolError' });
  });

  test('the number of pages is limited, and null parameters are omitted', async () => {
    await using fixture = await openAssistantStage();

    await toolsOf(fixture)('streaming_getTopStreams', { pages: 1_000, tags: null, waitTime: 3600, cursor: 'x' });

    expect(await fixture.requests('twitch', 'GET', '/streams')).toBeLessThanOrEqual(3);
  });
});

test('a compact record keeps its useful fields', () => {
  const post = {
    id: '1',
    text: 'x'.repeat(500),
    createdAt: new Date('2026-11-20T18:00:00Z'),
    fetchedAt: new Date(),
    viewer: { liked: true },
    media: [],
    quoted: { postId: '2', state: 'accepted', text: 'for followers' },
    counts: { likes: 3, bookmarks: 9 },
  };

  expect(compact(post)).toEqual({
    id: '1',
    text: `${'x'.repeat(400)}…`,
    createdAt: '2026-11-20T18:00:00Z',
    quoted: { postId: '2' },
    counts: { likes: 3 },
  });
  expect(compact([post, { ...post, visibility: 'followers' }, { ...post, communityId: 'c' }])).toHaveLength(1);
});
