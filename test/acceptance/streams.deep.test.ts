import { describe, expect, test } from 'vitest';
import { signIn } from '../support/sandbox-people.ts';
import { install, type Installation } from './installation.ts';

const START = '2026-11-20T18:00:00Z';
const HOUR_SECONDS = 3600;

/** Ends the streams of people until another order. */
function hideStreams(fanfare: Installation, ...users: readonly string[]): void {
  for (const user of users) fanfare.order({ do: 'end', user });
}

async function announced(fanfare: Installation): Promise<{ readonly posts: readonly string[]; readonly messages: readonly string[] }> {
  const [posts, messages] = await Promise.all([fanfare.posts(), fanfare.messages()]);
  return { posts: posts.map(({ text }) => text), messages: messages.map(({ content }) => content) };
}

describe('1. online, empty, online (75 s, same id) → exactly 1 post', () => {
  const rule = (more: string): string => `
id: live
when: { every: 15s, watch: streaming.getStreams, with: { users: [ada] }${more} }
then:
  - { id: post, do: social.createPost, with: { text: "\${{ item.title }}" } }
  - { do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }
`;
  const RULES = [
    ['with grace', ', grace: 2m'],
    ['without grace', ''],
    ['with `confirm: 1`', ', confirm: 1'],
  ] as const;
  const EMPTY = [
    [
      'the stream ends and resumes',
      (fanfare) => void fanfare.order({ do: 'end', user: 'ada' }),
      (fanfare, id) => void fanfare.order({ do: 'goLive', user: 'ada', broadcastId: id }),
    ],
    [
      'Twitch answers an empty list',
      (fanfare) => fanfare.sandbox.faults.add({ platform: 'twitch', route: '/streams', kind: 'emptyList' }),
      (fanfare) => fanfare.sandbox.faults.clear(),
    ],
  ] as const satisfies readonly (readonly [string, (fanfare: Installation) => void, (fanfare: Installation, id: string) => void])[];

  describe.for(EMPTY)('%s', ([, begin, end]) => {
    test.for(RULES)('1. online, empty, online (75 s, same id) → exactly 1 post, %s', async ([, more]) => {
      await using fanfare = await install({ rules: [rule(more)], at: START });
      hideStreams(fanfare, 'ada');
      await fanfare.pass(30);

      const id = fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
      await fanfare.pass(60);
      begin(fanfare);
      await fanfare.pass(75);
      end(fanfare, id);
      await fanfare.pass(300);

      expect(await announced(fanfare)).toEqual({ posts: ['Ranked'], messages: ['Ranked'] });
    });
  });
});

describe('4. restart mid-`for:` → resumes remaining time after re-observation', () => {
  const RULE = `
id: settled
when: { every: 15s, watch: streaming.getStreams, with: { users: [ada] }, settle: 5m }
then: [{ do: social.createPost, with: { text: "\${{ item.title }} at \${{ now }}" } }]
`;

  async function restarted(whileDown: (fanfare: Installation) => void): Promise<Installation> {
    const fanfare = await install({ rules: [RULE], at: START });
    hideStreams(fanfare, 'ada');
    await fanfare.pass(30);
    fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
    // The first poll that shows the stream is at 18:00:45, so five minutes are over at 18:05:45.
    await fanfare.pass(120);
    await fanfare.stop();
    whileDown(fanfare);
    await fanfare.pass(60);
    await fanfare.start();
    return fanfare;
  }

  test('4. restart mid-`for:` → resumes remaining time after re-observation: still there', async () => {
    await using fanfare = await restarted(() => undefined);

    await fanfare.pass(120);
    const early = await announced(fanfare);
    await fanfare.pass(600);

    expect(early.posts).toEqual([]);
    expect((await announced(fanfare)).posts).toEqual(['Ranked at 2026-11-20T18:05:45.000Z']);
  });

  test('4. restart mid-`for:` → resumes remaining time after re-observation: gone meanwhile', async () => {
    await using fanfare = await restarted((down) => hideStreams(down, 'ada'));

    await fanfare.pass(900);

    expect((await announced(fanfare)).posts).toEqual([]);
  });
});

describe('7. down 3 h, 4 streams went live → policy-bounded output, none older than `max_age`', () => {
  const live = (more: string): string => `
id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada, grace, linus, margaret] }${more} }
then: [{ do: social.createPost, with: { text: "\${{ item.owner.handle }}" } }]
`;
  const slots = (more: string): string => `
id: slots
when: { every: 30m${more} }
then: [{ do: social.createPost, with: { text: "slot \${{ now }}" } }]
`;
  const USERS = ['ada', 'grace', 'linus', 'margaret'] as const;
  /** The time between each start and the end of the three hours. */
  const MINUTES_BEFORE = [170, 100, 50, 10] as const;

  async function slept(rules: readonly string[]): Promise<Installation> {
    const fanfare = await install({ rules, at: '2026-11-20T18:01:00Z' });
    hideStreams(fanfare, ...USERS);
    await fanfare.pass(120, 60);
    await fanfare.stop();
    let leftMinutes = 180;
    for (const [place, minutes] of MINUTES_BEFORE.entries()) {
      await fanfare.pass((leftMinutes - minutes) * 60, 60);
      leftMinutes = minutes;
      fanfare.order({ do: 'goLive', user: USERS[place] ?? '', game: 'Chess' });
    }
    await fanfare.pass(leftMinutes * 60, 60);
    await fanfare.start();
    return fanfare;
  }

  test.for([
    ['the default maxAge of an hour', '', ['linus', 'margaret']],
    ['maxAge: 20m', ', maxAge: 20m', ['margaret']],
    ['maxAge: 2h', ', maxAge: 2h', ['grace', 'linus', 'margaret']],
    ['maxAge: 1d', ', maxAge: 1d', ['ada', 'grace', 'linus', 'margaret']],
  ] as const)('7. down 3 h, 4 streams went live → policy-bounded output, none older than `max_age`: %s', async ([, more, expected]) => {
    await using fanfare = await slept([live(more)]);

    await fanfare.pass(HOUR_SECONDS, 60);

    expect((await announced(fanfare)).posts.toSorted()).toEqual(expected);
  });

  test.for([
    ['missed: skip', []],
    ['missed: once', ['21:00']],
    ['missed: all', ['20:30', '21:00']],
    ['missed: all, maxAge: 2h', ['19:30', '20:00', '20:30', '21:00']],
    ['missed: all, maxAge: 1d', ['18:30', '19:00', '19:30', '20:00', '20:30', '21:00']],
  ] as const)('7. down 3 h → policy-bounded output of what watches nothing: %s', async ([policy, expected]) => {
    await using fanfare = await slept([slots(`, ${policy}`)]);

    await fanfare.pass(25 * 60, 60);

    expect((await announced(fanfare)).posts).toEqual(expected.map((time) => `slot 2026-11-20T${time}:00.000Z`));
  });
});

test('8. stream ended while down → card finalised at boot', async () => {
  await using fanfare = await install({
    at: START,
    rules: [
      `
id: card
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, grace: 5m }
then: [{ id: card, do: discord.send, with: { channel: live, content: "\${{ item.title }} is on" } }]
while: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }} goes on" } }]
finally: [{ do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.title }} was on" } }]
`,
    ],
  });
  hideStreams(fanfare, 'ada');
  await fanfare.pass(120);
  fanfare.order({ do: 'goLive', user: 'ada', game: 'Chess', title: 'Ranked' });
  await fanfare.pass(300);
  const before = await fanfare.messages();
  await fanfare.stop();
  hideStreams(fanfare, 'ada');
  await fanfare.pass(2 * HOUR_SECONDS, 600);

  await fanfare.start();
  await fanfare.pass(8 * 60);

  const after = await fanfare.messages();
  expect(before.map(({ content }) => content)).toEqual(['Ranked goes on']);
  expect(after.map(({ id, content }) => [id, content])).toEqual([[before[0]?.id, 'Ranked was on']]);
  expect(after[0]?.history.map(({ content }) => content)).toEqual(['Ranked is on', 'Ranked goes on']);
});

describe('13. first run = silent baseline', () => {
  /** A game without scheduled streams in that hour. */
  const GAME = 'Lanternfall';
  const goLive = async (fanfare: Installation): Promise<string> => fanfare.order({ do: 'goLive', user: 'grace', game: GAME });
  async function post(fanfare: Installation): Promise<string> {
    const ada = await signIn(fanfare, 'ada');
    return (await fanfare.during(ada.createPost('Something new'))).id;
  }
  const KINDS = [
    ['people who are live', 'watch: streaming.getStreams, with: { users: [ada, grace] }', goLive],
    ['a ranking', `watch: streaming.getGameStreams, with: { game: ${GAME} }`, goLive],
    ['a feed', 'watch: social.getPosts, with: { user: ada }', post],
  ] as const;
  const rule = (watch: string): string => `
id: news
when: { every: 1m, ${watch} }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.id }}" } }]
`;

  test.for(KINDS)('13. first run = silent baseline: %s', async ([, watch, makeNews]) => {
    await using fanfare = await install({ rules: [rule(watch)], at: START });
    hideStreams(fanfare, 'ada', 'grace', 'linus');
    fanfare.order({ do: 'goLive', user: 'ada', game: GAME });
    await post(fanfare);
    await fanfare.pass(300);
    const first = await announced(fanfare);
    await fanfare.stop();
    await fanfare.start();
    await fanfare.pass(300);
    const second = await announced(fanfare);

    const id = await makeNews(fanfare);
    await fanfare.pass(120);

    expect([first.messages, second.messages]).toEqual([[], []]);
    expect((await announced(fanfare)).messages).toEqual([id]);
  });
});
