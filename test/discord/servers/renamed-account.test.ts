import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { fetch } from '../../support/discord-sandbox.ts';
import { openApp } from '../app-fixture.ts';
import { idOf } from './fixture.ts';

interface Card {
  readonly content: string;
  readonly embeds: readonly { readonly title?: string; readonly author?: { readonly name: string } }[];
  readonly ephemeral?: boolean;
}

const [FIRST, BERLIN] = ['1202584131993600001', '1202584131997794305'];
const account = (name: string, server: string): string => `  ${name}: { platform: discord, server: '${server}' }\n`;

test.each([
  ['another account is the first one', account('berlin', BERLIN) + account('main', FIRST)],
  ['the account has another name', account('home', FIRST)],
])('an open card is closed, although %s since a restart', async (_, after) => {
  await using app = await openApp(`accounts:\n${account('main', FIRST)}${account('berlin', BERLIN)}`, {
    environment: { DISCORD_GUILD_ID: '' },
  });
  const [user] = app.people;
  const act = (more: object) => app.interact({ user, ...more });
  const run = (command: string, options = {}) => act({ guild: FIRST, channel: 'general', command, options });
  const cards = async () => {
    const { items } = await app.control<{ items: Card[] }>(`/messages?guild=${FIRST}&channel=live`);
    return items.filter(({ ephemeral }) => !ephemeral).map(({ content, embeds: [embed] }) => [content, embed?.title, embed?.author?.name]);
  };
  const poll = () =>
    fetch(`${app.url}/api/rules/followed/run`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
  await app.control('/world', { do: 'goLive', user, game: 'Chess', title: 'Rook endgames', viewers: 808 });
  await act({ message: idOf(await run('setup')), customId: 'setup:channel', values: ['live'] });
  const added = await run('follow add', { streamer: `twitch.tv/${user}` });
  const button = /follow:announce:[^"]+/u.exec(JSON.stringify(added.message?.components))?.[0];
  await act({ message: idOf(added), customId: button });
  await vi.waitFor(async () => expect(await cards()).toEqual([['🔴 **Ada** is live!', 'Rook endgames', 'Ada']]), { timeout: 20_000 });

  writeFileSync(join(app.data, '..', 'fanfare.yaml'), `accounts:\n${after}`);
  await app.restart();
  await run('follow remove', { streamer: user });
  await vi.waitFor(async () => expect((await poll()).status).toBe(200), { timeout: 20_000 });

  await vi.waitFor(async () => expect(await cards()).toEqual([['**Ada** was live.', 'Rook endgames', 'Ada']]), { timeout: 20_000 });
});
