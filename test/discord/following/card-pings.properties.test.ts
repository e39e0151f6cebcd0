import fc from 'fast-check';
import { expect, test } from 'vitest';
import { send } from '#src/clients/chat/messages.ts';
import { perform } from '#src/clients/operation/client.ts';
import { en } from '#src/discord/language/en/index.ts';
import { markedCard, sampleEntry, sendCard } from '#src/discord/following/followed-card.ts';
import { personMessage } from '#src/engine/simulation/preview/person-message.ts';
import type { PreviewAccounts } from '#src/engine/simulation/preview/preview-accounts.ts';
import { FOLLOWED_RULE } from '#src/engine/rule-sets/shipped-rules.ts';
import type { Rule } from '#src/rules/rule.ts';
import { openChat } from '../../adapters/discord/open-chat.ts';
import { ACCOUNTS } from '../../rules/people/people-stage.ts';
import { runs } from '../../support/property.ts';
import { check } from '../../support/rule-language.ts';
import { hostileText } from './hostile-texts.ts';

const accounts: PreviewAccounts = {
  poll: () => Promise.reject(new Error('the stream is a sample')),
  perform: () => Promise.reject(new Error('the rule reads nothing')),
  textLimitOf: () => undefined,
  missingParts: () => Promise.resolve([]),
  targetProblems: () => Promise.resolve([]),
};
const rule = check(FOLLOWED_RULE.source, { accounts: ACCOUNTS }).rules[0] as Rule; // the source has one rule

test('the card of a followed streamer pings what was chosen, whatever the name, the title, the game and the message are', async () => {
  await using fixture = await openChat();
  let sent = 0;

  await fc.assert(
    fc.asyncProperty(
      fc.record({ name: hostileText, title: hostileText, game: hostileText, message: fc.option(hostileText, { nil: undefined }) }),
      fc.constantFrom(undefined, 'Live', 'everyone'),
      async ({ name, title, game, message }, ping) => {
        const fields = { twitch: 'ada', channel: 'live', ...(message !== undefined && { message }), ...(ping !== undefined && { ping }) };
        const entry = { id: 'ada', list: FOLLOWED_RULE.list, server: fixture.discord.guildId, fields };
        const streamOn = (platform: string) => ({
          platform,
          title,
          url: 'https://twitch.tv/ada',
          game: { name: game },
          owner: { displayName: name },
        });
        const made = await personMessage(rule, { entry, streamOn, accounts, nowMs: fixture.clock.nowMs() });
        // Without a visible sign, a text is left out or refused.
        if ('failure' in made) return;
        const before = new Set((await fixture.standing('live')).map(({ id }) => id));
        const { image: _, ...embed } = made.params['embed'] as object & { image?: string }; // the picture of the sample does not exist
        await perform(fixture.chat, send.declared, { ...made.params, embed });
        sent++;

        const messages = (await fixture.standing('live')).filter(({ id }) => !before.has(id));
        expect(messages).toHaveLength(1);
        expect(messages.at(-1)?.pinged).toEqual({ everyone: ping === 'everyone', roles: ping === 'Live' ? ['Live'] : [], users: [] });
      },
    ),
    { numRuns: runs(20, 300), examples: [[{ name: 'Ada', title: 'Chess', game: 'Chess', message: '@everyone0' }, 'everyone']] },
  );
  expect(sent).toBeGreaterThan(0);
});

test('a test card pings no one, whatever its texts are, and one press sends one card', async () => {
  await using fixture = await openChat();
  const { discord } = fixture;
  const channel = discord.channelIds.get('live') ?? '';
  const entry = sampleEntry(discord.guildId, en);
  let press = 0;

  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, hostileText, fc.boolean(), async (content, title, name, isLayout) => {
      const form = isLayout
        ? { components: [{ type: 10, content: `x${content}` }], flags: 1 << 15 }
        : { content, embeds: [{ title: `x${title}`, author: { name: `x${name}` } }], components: [] };
      const card = await markedCard(entry, { mark: en.setup.test.mark, texts: en, renderCard: () => Promise.resolve({ form }) });
      if ('failure' in card) throw new Error(card.failure);
      const before = new Set((await fixture.standing('live')).map(({ id }) => id));
      press++;
      for (const _ of [1, 2]) expect(await sendCard(card, { rest: discord.rest(), channel, press: `${press}` })).toBeUndefined();

      const messages = (await fixture.standing('live')).filter(({ id }) => !before.has(id));
      expect(messages).toHaveLength(1);
      expect(messages.at(-1)?.pinged).toEqual({ everyone: false, roles: [], users: [] });
    }),
    { numRuns: runs(20, 300) },
  );
});
