import { expect, test } from 'vitest';
import { BERLIN, FIRST, openServers, contentsIn } from './fixture.ts';

const BOTH = `
id: both
when: { every: 5s }
cooldown: 1h
then:
  - { do: discord.send, as: [discord, berlin], with: { channel: live, content: To everybody } }
  - { do: discord.put, as: [discord, berlin], with: { name: board, channel: stream-news, content: The board } }
`;
const ONE = `
id: one
when: { every: 5s }
cooldown: 1h
then:
  - { do: discord.send, as: berlin, with: { channel: live, content: Nur in Berlin } }
`;
const FORUM = `
id: forum
when:
  every: 5s
  watch: discord.getMessages
  account: berlin
  with: { channel: guides }
  where: item.title != "Off topic"
  first: fire
then:
  - { do: discord.send, as: discord, with: { channel: general, content: "\${{ item.author.handle }} asks in #\${{ item.channel.name }}: \${{ item.title }} \${{ item.url }}" } }
`;

test('a rule posts to the channel with the name in each listed server only', async () => {
  await using fixture = await openServers({ rules: { 'both.yaml': BOTH, 'one.yaml': ONE } });
  const contents = async (guild: string, channel: string): Promise<readonly string[]> =>
    (await fixture.messagesIn(guild, channel)).map(({ content }) => content).toSorted();

  const all = () => Promise.all([FIRST, BERLIN].flatMap((guild) => ['live', 'stream-news'].map((channel) => contents(guild, channel))));
  await fixture.until(async () => (await all()).flat().length >= 5);

  const [live, news, berlinLive, berlinNews] = await all();
  expect([live, news]).toEqual([['To everybody'], ['The board']]);
  expect([berlinLive, berlinNews]).toEqual([['Nur in Berlin', 'To everybody'], ['The board']]);
});

test('"Why this message?" below a message explains deliveries of that server', async () => {
  await using fixture = await openServers({ rules: { 'both.yaml': BOTH } });
  const user = fixture.who.berlinModerator;
  const why = async (guild: string): Promise<string> => {
    const message = await fixture.until(async () => (await fixture.messagesIn(guild, 'live'))[0]);
    // A message is there before its receipt is stored.
    return fixture.until(async () => {
      const answer = contentsIn(await fixture.interact({ user, message: message.id, menu: 'Why this message?' }));
      return answer.includes('through') && answer;
    });
  };

  const [here, there] = [await why(FIRST), await why(BERLIN)];

  expect(here).toContain('through discord');
  expect(there).toContain('through berlin');
});

test('a rule announces forum posts of one server in the other server', async () => {
  const post = (title: string) => ({ guild: BERLIN, channel: 'guides', title, content: 'Wie geht das?' });
  await using fixture = await openServers({
    rules: { 'forum.yaml': FORUM },
    async prepare(control) {
      const { members } = await control<{ members: readonly { username: string; bot: boolean }[] }>(
        `/discord?guild=${encodeURIComponent(BERLIN)}`,
      );
      const user = members.find(({ bot }) => !bot)?.username;
      await control('/discord/messages', { user, ...post('Off topic') });
      await control('/discord/messages', { user, ...post('Rochade') });
    },
  });
  const contents = async (): Promise<readonly string[]> => (await fixture.messagesIn(FIRST, 'general')).map(({ content }) => content);
  await fixture.until(async () => (await contents()).length === 1);

  await fixture.control('/discord/messages', { user: fixture.who.firstOwner, ...post('En passant') });
  await fixture.until(async () => (await contents()).length === 2);

  const { berlinOwner, firstOwner } = fixture.who;
  expect(await contents()).toEqual([
    expect.stringMatching(`^${escaped(berlinOwner)} asks in #guides: Rochade https://discord\\.com/channels/\\d+/(\\d+)/\\1$`),
    expect.stringMatching(`^${escaped(firstOwner)} asks in #guides: En passant https://discord\\.com/channels/`),
  ]);
});

/** A pattern for a handle in Markdown. */
function escaped(handle: string): string {
  return handle.replaceAll('_', '\\\\?_');
}

test('removal from one server does not affect the other server, and failed deliveries have a reason', async () => {
  const often = (id: string, account: string): string =>
    `id: ${id}\nwhen: { every: 5s }\nfuse: { firings: 720, per: 1h }\nthen: [{ do: discord.send, as: ${account}, with: { channel: live, content: "${id} \${{ string(now) }}" } }]\n`;
  await using fixture = await openServers({ rules: { 'here.yaml': often('here', 'discord'), 'there.yaml': often('there', 'berlin') } });
  await fixture.until(async () => (await fixture.messagesIn(BERLIN, 'live')).length > 0);

  await fixture.control('/discord/guild', { guild: BERLIN, hasBot: false });
  const [here, there] = [(await fixture.messagesIn(FIRST, 'live')).length, (await fixture.messagesIn(BERLIN, 'live')).length];
  await fixture.until(async () => (await fixture.messagesIn(FIRST, 'live')).length > here + 1);

  expect(await fixture.messagesIn(BERLIN, 'live')).toHaveLength(there);
  const failed = async (): Promise<string> =>
    contentsIn(await fixture.command(FIRST, fixture.who.firstOwner, 'deliveries', { state: 'failed' }));
  await fixture.until(async () => (await failed()).includes('The bot is not in this Discord server'));

  await fixture.control('/discord/guild', { guild: BERLIN, hasBot: true });
  await fixture.until(async () => (await fixture.messagesIn(BERLIN, 'live')).length > there);
});

test('the log names a server without the bot, and the other server has its commands and rules', async () => {
  await using fixture = await openServers({
    rules: { 'both.yaml': BOTH },
    prepare: (control) => control('/discord/guild', { guild: BERLIN, hasBot: false }),
  });
  await fixture.until(async () => (await fixture.messagesIn(FIRST, 'live')).length > 0);

  const answered = await fixture.command(FIRST, fixture.who.firstOwner, 'automation list');

  expect(JSON.stringify(answered.message?.embeds)).toContain('both');
  expect(fixture.lines.join('')).toMatch(/the bot is not in a server, or cannot register commands there: invite it.*berlin/);
});
