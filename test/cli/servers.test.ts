import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#src/store/store.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the servers are listed with their settings, and when they joined or left', async () => {
  using folder = temporaryFolder();
  const environment = { FANFARE_DATA: folder.path, FANFARE_RULES: join(folder.path, 'rules') };
  const servers = (...args: readonly string[]) => runHere({ args: ['servers', ...args], environment });
  expect(await servers()).toMatchObject({ code: 0, output: expect.stringContaining('in no server') });
  const joinedAt = new Date('2026-11-22T18:00:00Z');
  {
    await using store = await openStore({ file: join(folder.path, 'fanfare.sqlite') });
    await store.servers.join({ id: '1', name: 'Chess\u001B[2J Club', joinedAt });
    await store.servers.change('1', { channel: '11', ping: 'everyone', roles: { follow: ['3'] } });
    await store.servers.join({ id: '2', name: 'Go Club', joinedAt });
    await store.servers.leave('2');
  }

  const [first, second] = (await servers()).stdout.trim().split('\n');
  const json = JSON.parse((await servers('--json')).stdout) as unknown;

  expect(first).toMatch(/^1 {2}Chess.*Club {2}channel 11, ping everyone {2}joined 2026-11-22T18:00:00\.000Z$/u);
  expect(first).not.toContain('\u001B');
  expect(second).toMatch(/^2 {2}Go Club {2}no channel {2}left \d{4}-/u);
  expect(json).toMatchObject({
    servers: [
      { id: '1', channel: '11', ping: 'everyone', roles: { follow: ['3'] }, joinedAt: joinedAt.toISOString() },
      { id: '2', roles: {}, leftAt: expect.any(String) },
    ],
  });
});
