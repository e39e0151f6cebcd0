import fc from 'fast-check';
import { expect, test } from 'vitest';
import { send } from '#src/clients/chat/messages.ts';
import { perform } from '#src/clients/operation/client.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { runs } from '../../support/property.ts';
import { ada, scopeOf } from '../../support/rule-language.ts';
import { rendered } from '../../rules/rendering/fixture.ts';
import { openChat } from './open-chat.ts';

const ROLE = '1202584131993600005';
const PINGS = [
  '@everyone',
  '@here',
  `<@&${ROLE}>`,
  '<@794354201395200001>',
  '<@!794354201395200001>',
  '\\@everyone',
  '@\u200beveryone',
  '<',
  '@',
  '&',
  '>',
  '*',
  '`',
];
/** A text that tries to ping. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PINGS), fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

const NAME = '${{ item.owner.displayName }}';
const TITLE = '${{ item.title }}';
const templates: Readonly<Record<string, JsonObject>> = {
  'a text and a card': {
    content: `**${NAME}** is live: ${TITLE}`,
    embed: {
      author: { name: NAME },
      title: TITLE,
      description: `${TITLE}, since \${{ discordTime(item.startedAt, 'R') }}`,
      fields: [{ name: NAME, value: TITLE }],
      footer: TITLE,
      altText: TITLE,
      image: 'https://pictures.example/1.png',
    },
    buttons: [{ label: TITLE, url: 'https://twitch.example' }],
  },
  'several cards': { content: TITLE, embeds: [{ title: TITLE }, { description: NAME }] },
  'a layout': { layout: { blocks: [{ text: `## ${NAME}\n${TITLE}` }, { buttons: [{ label: NAME, role: 'Live' }] }] } },
};

test.for(Object.entries(templates))('%s pings only roles in `mention`, with any names and titles', async ([, parameters]) => {
  await using fixture = await openChat();
  const chosen = fc.constantFrom<readonly string[]>([], ['Live'], ['everyone']);

  await fc.assert(
    fc.asyncProperty(hostile, hostile, chosen, async (title, displayName, mention) => {
      const scope = scopeOf({ ...ada, title, owner: { ...ada.owner, displayName } });
      const step = rendered(
        { channel: 'live', ...parameters, ...(mention.length > 0 && { mention: [...mention] }) },
        { do: 'discord.send' },
        { scope },
      );
      // Without a visible sign, there is nothing to send.
      if (!('params' in step)) return;
      await perform(fixture.chat, send.declared, step.params);

      const message = (await fixture.standing('live')).at(-1);
      expect(message?.pinged).toEqual({
        everyone: mention.includes('everyone'),
        roles: mention.filter((name) => name === 'Live'),
        users: [],
      });
    }),
    { numRuns: runs(15, 120) },
  );
});
