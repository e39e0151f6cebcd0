import type { Fixture } from './fixture.ts';
import { below, cannot, command, componentIn, messageOf, NO_BUTTON, NO_INPUT, run, type Prepare, type Use } from './use.ts';

type Options = Readonly<Record<string, string>>;

interface LookUp {
  readonly name: string;
  readonly options?: Options;
  readonly wrong?: Options;
  /** Other options, because results are cached. The streams that the fixture orders match them at any time. */
  readonly others?: Options;
}

const GAMES = { options: { game: 'Chess' }, wrong: { game: 'Nobody Plays This' }, others: { game: 'Minecraft' } };
const STREAMERS = { options: { streamer: 'ada' }, wrong: { streamer: 'nobody_is_called_this' }, others: { streamer: 'grace' } };
const USERS = { options: { user: 'ada' }, wrong: { user: 'nobody_is_called_this' }, others: { user: 'grace' } };

const LOOK_UPS: readonly LookUp[] = [
  { name: 'live', ...STREAMERS },
  { name: 'user', ...STREAMERS },
  { name: 'videos', ...STREAMERS },
  { name: 'clips', ...STREAMERS },
  { name: 'top streams', wrong: { language: 'klingon' }, others: { language: 'en' } },
  { name: 'top games', others: { tags: 'RPG' } },
  { name: 'game streams', ...GAMES },
  { name: 'game clips', ...GAMES },
  { name: 'game videos', ...GAMES },
  { name: 'search', options: { keyword: 'chess' }, wrong: { keyword: ' ' }, others: { keyword: 'mine' } },
  { name: 'social user', ...USERS },
  { name: 'social posts', ...USERS },
  { name: 'social search', options: { keyword: 'chess' }, wrong: { keyword: ' ' }, others: { keyword: 'mine' } },
  { name: 'social trends' },
];

/** The look-ups of a post need its address. */
const OF_POSTS = ['social post', 'social thread'];

function lookUpUses({ name, options = {}, wrong, others }: LookUp): readonly Use[] {
  return [
    {
      use: `/${name}`,
      right: command(name, options),
      wrong: wrong ? command(name, { ...options, ...wrong }) : NO_INPUT,
      old: NO_BUTTON,
      ...(others && { unreachable: command(name, others) }),
      waits: true,
    },
    {
      use: componentOf(name),
      isData: true,
      right: componentIn(run(name, options), `${componentOf(name)}:again`),
      wrong: NO_INPUT,
      old: below(run(name, options), `${componentOf(name)}:again:0:~00000000-0000-4000-8000-000000000000`),
      waits: true,
    },
  ];
}

function componentOf(name: string): string {
  const [first, second = ''] = name.split(' ');
  return `${first}:${second}`;
}

async function addressOfPost(fixture: Fixture): Promise<string> {
  const view = await run('social posts', { user: 'ada' })(fixture);
  for (const { description = '' } of (view.message?.embeds ?? []) as readonly { readonly description?: string }[])
    // as Discord documents it
    for (const line of description.split('\n')) fixture.foreign.add(line);
  const [url = ''] = /https?:[^"\\) ]+(?:status|posts?)\/[^"\\) ]+/u.exec(JSON.stringify(view.message)) ?? [];
  return url;
}

function ofPost(name: string): readonly Use[] {
  const right: Prepare = async (fixture) => ({ command: name, options: { post: await addressOfPost(fixture) } });
  const shown = async (fixture: Fixture) => run(name, { post: await addressOfPost(fixture) })(fixture);
  return [
    { use: `/${name}`, right, wrong: command(name, { post: 'https://example.org/nothing' }), old: NO_BUTTON, waits: true },
    {
      use: componentOf(name),
      isData: true,
      right: componentIn(shown, `${componentOf(name)}:again`),
      wrong: NO_INPUT,
      old: below(shown, `${componentOf(name)}:again:0:~00000000-0000-4000-8000-000000000000`),
      waits: true,
    },
  ];
}

/** The look-ups. */
export const LOOK_UP_USES: readonly Use[] = [...LOOK_UPS.flatMap(lookUpUses), ...OF_POSTS.flatMap(ofPost)];

/** Stores an open draft of the assistant. */
async function draft(fixture: Fixture, id: string): Promise<void> {
  const { guild } = await fixture.app.control<{ guild: { id: string } }>('/discord');
  await fixture.keep((store) =>
    store.assistantDrafts.add({
      id,
      content: { kind: 'rule', rule: `rule-${id.slice(0, 8)}`, source: RULE.replace('ID', `rule-${id.slice(0, 8)}`) },
      by: undefined,
      conversation: `discord:${guild.id}:1:1:1`,
      state: 'open',
      madeAt: new Date(),
    }),
  );
}

const RULE =
  'id: ID\nwhen: { cron: "0 0 1 1 *", timezone: UTC }\nthen:\n  - { do: discord.send, with: { channel: live, content: Hello } }\n';
const GONE = '00000000-0000-4000-8000-000000000000';

const drafted =
  (action: string): Prepare =>
  async (fixture) => {
    const id = crypto.randomUUID();
    await draft(fixture, id);
    // The draft has a card of its own in the conversation; any private message shows the result.
    return below(run('top games'), `ask:${action}:${id}`)(fixture);
  };

function draftUse(action: string): Use {
  return { use: `ask:${action}`, right: drafted(action), wrong: NO_INPUT, old: below(run('top games'), `ask:${action}:${GONE}`) };
}

const asked = run('ask', { text: 'Hello, who are you?' });

/** The assistant. */
export const ASSISTANT: readonly Use[] = [
  {
    use: '/ask',
    right: command('ask', { text: 'Hello, who are you?', new: true }),
    wrong: command('ask', { text: ' ' }),
    old: NO_BUTTON,
    waits: true,
  },
  ...['conversation history', 'conversation forget'].map((name) => ({
    use: `/${name}`,
    async right(fixture: Fixture) {
      await asked(fixture);
      return { command: name };
    },
    wrong: NO_INPUT,
    old: NO_BUTTON,
  })),
  {
    use: 'ask:thread',
    right: async (fixture) => ({
      message: messageOf(await run('ask', { text: 'Hello, who are you?', new: true })(fixture)),
      customId: 'ask:thread',
    }),
    wrong: NO_INPUT,
    old: cannot('it is below the answer that it continues'),
  },
  ...['approve', 'drop', 'refresh', 'file'].map(draftUse),
];
