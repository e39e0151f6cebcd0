import { describe, expect, test } from 'vitest';
import { install, type Installation } from './installation.ts';

const START = '2026-11-20T18:00:05Z';

interface RuleText {
  readonly id: string;
  readonly user: string;
  readonly verb: string;
}

/** Announces a stream after four minutes and posts again ten minutes later. */
const settled = ({ id, user, verb }: RuleText): string => `
id: ${id}
when: { every: 15s, watch: streaming.getStreams, with: { users: [${user}] }, settle: 4m, grace: 10m }
cooldown: 1h
then:
  - { id: post, do: social.createPost, with: { text: "${verb} \${{ item.owner.handle }} at \${{ now }}" } }
  - wait: 10m
  - { do: discord.send, with: { channel: live, content: "${verb} \${{ item.owner.handle }} went on" } }
`;

async function announced(fanfare: Installation): Promise<{ readonly posts: readonly string[]; readonly messages: readonly string[] }> {
  const [posts, messages] = await Promise.all([fanfare.posts(), fanfare.messages()]);
  return { posts: posts.map(({ text }) => text).toSorted(), messages: messages.map(({ content }) => content).toSorted() };
}

describe('5. reload of rule A leaves B’s pending timers alone; invalid file keeps last good set', () => {
  const A: RuleText = { id: 'a', user: 'ada', verb: 'On:' };
  const B: RuleText = { id: 'b', user: 'grace', verb: 'Look:' };

  /** Two rules whose streams have been live for two minutes. */
  async function twoPending(): Promise<Installation> {
    const fanfare = await install({ rules: [settled(A), settled(B)], at: START });
    for (const user of ['ada', 'grace']) fanfare.order({ do: 'end', user });
    await fanfare.pass(40);
    for (const user of ['ada', 'grace']) fanfare.order({ do: 'goLive', user, game: 'Chess' });
    // The first poll that shows the stream is at 18:01:00.
    await fanfare.pass(120);
    return fanfare;
  }

  test('5. reload of rule A leaves B’s pending timers alone', async () => {
    await using fanfare = await twoPending();

    for (const verb of ['Now:', 'Live:']) {
      fanfare.write('a', settled({ ...A, verb }));
      expect(await fanfare.reload()).toBe(true);
      await fanfare.pass(30);
    }
    await fanfare.pass(120);
    const soon = await announced(fanfare);
    // Both waits are half over.
    fanfare.write('a', settled({ ...A, verb: 'Still:' }));
    await fanfare.reload();
    await fanfare.pass(11 * 60);

    expect(soon).toEqual({
      posts: ['Live: ada at 2026-11-20T18:05:00.000Z', 'Look: grace at 2026-11-20T18:05:00.000Z'],
      messages: [],
    });
    const later = await announced(fanfare);
    expect(later.posts).toEqual(soon.posts);
    expect(later.messages).toHaveLength(2);
    expect(later.messages).toEqual(expect.arrayContaining(['Look: grace went on', expect.stringMatching(/^(Live|Still): ada went on$/)]));
    expect((await fanfare.messages()).map(({ at }) => at.slice(0, 16))).toEqual(['2026-11-20T18:15', '2026-11-20T18:15']);
  });

  test.for([
    ['a word that does not exist', (source: string) => source.replace('when:', 'wenn:')],
    ['YAML that ends in the middle', (source: string) => source.slice(0, source.indexOf('settle') + 3)],
    ['an expression that cannot be', (source: string) => source.replace('item.owner', 'item.onwer')],
    ['nothing at all', () => ''],
  ] as const)('5. invalid file keeps last good set: %s', async ([, spoil]) => {
    await using fanfare = await twoPending();

    fanfare.write('a', spoil(settled(A)));
    fanfare.write('c', 'id: c\n');
    await fanfare.reload();
    await fanfare.pass(60);
    // The rule also continues after a restart.
    await fanfare.stop();
    await fanfare.start();
    await fanfare.pass(15 * 60);

    expect(await announced(fanfare)).toEqual({
      posts: ['Look: grace at 2026-11-20T18:05:00.000Z', 'On: ada at 2026-11-20T18:05:00.000Z'],
      messages: ['Look: grace went on', 'On: ada went on'],
    });
    expect(fanfare.lines.filter((line) => line.includes('/a.yaml:'))).toContainEqual(
      expect.stringMatching(/ warn .*the last valid version keeps running/),
    );
    expect(fanfare.lines.filter((line) => line.includes('/c.yaml:'))).toContainEqual(expect.stringMatching(/ warn .*does not run/));
  });
});

describe('6. rule file that reloads itself / deleted while running', () => {
  const rule = (verb: string): string => `
id: live
when: { every: 15s, watch: streaming.getStreams, with: { users: [ada, linus] } }
then:
  - { id: post, do: social.createPost, with: { text: "${verb} \${{ item.owner.handle }}" } }
  - { do: discord.send, with: { channel: live, content: "${verb} \${{ item.owner.handle }} \${{ steps.post.id }}" } }
`;
  const OTHER = `
id: other
when: { every: 15s, watch: streaming.getStreams, with: { users: [grace] } }
then: [{ do: discord.send, with: { channel: general, content: "\${{ item.owner.handle }}" } }]
`;

  interface RequestPoint {
    readonly platform: string;
    readonly path: string;
  }
  const POLL: RequestPoint = { platform: 'twitch', path: '/streams' };
  const POST: RequestPoint = { platform: 'social', path: '/createPost' };

  /** Changes the rule file after a platform has served a request of the rule and before it answers. */
  async function meddled({ platform, path }: RequestPoint, meddle: (fanfare: Installation) => void): Promise<Installation> {
    let isOn = false;
    const fanfare: Installation = await install({
      rules: [rule('On:'), OTHER],
      at: START,
      async onDone(request) {
        if (!isOn || request.platform !== platform || !request.path.endsWith(path)) return;
        isOn = false;
        meddle(fanfare);
        await fanfare.reload();
      },
    });
    for (const user of ['ada', 'grace', 'linus']) fanfare.order({ do: 'end', user });
    await fanfare.pass(40);
    fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess' });
    isOn = true;
    await fanfare.pass(40);
    expect(isOn, 'it was meddled with').toBe(false);
    for (const user of ['linus', 'grace']) fanfare.order({ do: 'goLive', user, game: 'Chess' });
    await fanfare.pass(40);
    return fanfare;
  }

  const texts = async (fanfare: Installation, channel: string): Promise<readonly string[]> =>
    (await fanfare.messages(channel)).map(({ content }) => content);

  test.for([
    ['while its list is read', POLL, ['Now: linus', 'On: ada']],
    ['while it posts', POST, ['Now: linus', 'On: ada']],
  ] as const)('6. rule file that reloads itself while running: %s', async ([, point, posts]) => {
    await using fanfare = await meddled(point, (its) => its.write('live', rule('Now:')));

    expect((await announced(fanfare)).posts).toEqual(posts);
    expect(await texts(fanfare, 'live')).toEqual([expect.stringMatching(/^(On|Now): ada own-1$/), 'Now: linus own-2']);
    expect(await texts(fanfare, 'general')).toEqual(['grace']);
    expect(fanfare.lines.filter((line) => / (warn|error) /.test(line))).toEqual([]);
  });

  test.for([
    ['while its list is read', POLL, 0],
    ['while it posts', POST, 1],
  ] as const)('6. rule file that is deleted while running: %s', async ([, point, least]) => {
    await using fanfare = await meddled(point, (its) => its.remove('live'));

    // Started work finished, and no new work started.
    const { posts } = await announced(fanfare);
    expect(posts.length).toBeGreaterThanOrEqual(least);
    expect(posts).toEqual(['On: ada'].slice(0, posts.length));
    expect(await texts(fanfare, 'live')).toEqual([]);
    expect(await texts(fanfare, 'general')).toEqual(['grace']);
    expect(fanfare.lines.filter((line) => / (warn|error) /.test(line))).toEqual([]);
    expect(fanfare.lines).toContainEqual(expect.stringMatching(/ - live/));
  });
});
