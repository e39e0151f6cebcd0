import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { en } from '#src/discord/language/en/index.ts';
import { fetch } from '../../support/discord-sandbox.ts';
import { runs } from '../../support/property.ts';
import { idOf, openServers } from '../servers/fixture.ts';
import { hostileText } from './hostile-texts.ts';

const NO_ONE = { everyone: false, roles: [], users: [] };

interface Entry {
  readonly id: string;
  readonly fields: JsonObject;
}

test('/follow and the test card ping no one and keep no foreign role, whatever people type and import', async () => {
  await using servers = await openServers();
  const [owner] = servers.app.people;
  const club = await servers.invite('Chess Club', owner);
  const { Live: role = '' } = await servers.roles(club.id);
  const { channels } = await servers.app.control<{ channels: { id: string }[] }>('/discord');
  const act = (order: object) => servers.app.interact({ user: owner, ...order });
  const run = (command: string, options: object = {}) => act({ guild: club.id, channel: 'general', command, options });
  const setup = idOf(await run('setup'));
  await act({ message: setup, customId: 'setup:channel', values: ['live'] });
  await run('follow add', { streamer: `twitch.tv/${owner}` });
  const importing = async (names: string) => act({ modal: (await run('follow import')).id, fields: { names } });
  const kept = async () => {
    const answer = await fetch(`${servers.app.url}/api/lists/followed?server=${club.id}`);
    return ((await answer.json()) as { readonly entries: readonly Entry[] }).entries;
  };

  const foreign: readonly JsonObject[] = [
    { ping: 'everyone' },
    { ping: '@here' },
    { ping: ['everyone'] },
    { ping: club.id },
    { ping: 794_354_201_395_200_000 },
    { ping: '794354201395200001' },
    { channel: channels[0]?.id },
    { channel: Number(channels[0]?.id) },
    { liveRole: role },
  ];
  for (const fields of foreign) await importing(`grace: ${JSON.stringify({ twitch: 'grace', ...fields })}`);
  expect((await kept()).map(({ id }) => id)).toEqual([owner]);

  await fc.assert(
    fc.asyncProperty(hostileText, hostileText, async (text, name) => {
      await run('follow add', { streamer: text });
      await run('follow remove', { streamer: text });
      await importing(text);
      await importing(`grace: ${JSON.stringify({ twitch: 'grace', name, message: text })}`);
      await act({ modal: (await run('follow edit', { streamer: owner })).id, fields: { message: text, after: ['keep'] } });
      await run('follow list');
      await act({ message: setup, click: en.setup.buttons.test });
    }),
    { numRuns: runs(1, 60) },
  );

  expect((await kept()).flatMap(({ fields }) => [fields['ping'], fields['channel'], fields['liveRole']].filter(Boolean))).toEqual([]);
  expect((await kept()).map(({ id }) => id)).toContain('grace');
  const messages = await servers.messages(club.id);
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter(({ pinged }) => JSON.stringify(pinged) !== JSON.stringify(NO_ONE))).toEqual([]);
  expect(messages.some(({ content }) => content.includes(en.setup.test.mark))).toBe(true);
});
