import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startSandbox } from '#sandbox/index.ts';
import { discordServer } from '#sandbox/discord/discord.ts';
import { twitchServer } from '#sandbox/twitch/server.ts';
import { observedPlatforms } from '../acceptance/observed-platforms.ts';
import { launch, type FanfareProcess } from '../support/fanfare-process.ts';
import { isTrueWithin } from '../support/running-time.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** discord.js closes its connection for some seconds at most. On a busy machine, it takes longer. */
const LONGEST_STOP_MS = 120_000;

const RULE = `
id: live
when: { every: 5s, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.title }}" } }]
`;

test.for([0, 5, 10, 15, 20, 30, 45, 70])('a stop %d ms after Discord named its gateway ends the process', async (delayMs) => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  const named = Promise.withResolvers<void>();
  const platforms = observedPlatforms({
    platforms: [twitchServer, discordServer],
    onDone: ({ path }) => void (path.endsWith('/gateway/bot') && named.resolve()),
  });
  const sandbox = stack.use(await startSandbox({ platforms }));
  mkdirSync(join(folder.path, 'rules'));
  writeFileSync(join(folder.path, 'rules', 'live.yaml'), RULE);
  const fanfare: FanfareProcess = await launch({
    environment: { ...sandbox.environment, FANFARE_DATA: join(folder.path, 'data'), FANFARE_RULES: join(folder.path, 'rules') },
  });
  stack.defer(() => fanfare.kill());
  await named.promise;
  await sleep(delayMs);

  fanfare.signal('SIGTERM');
  let code: unknown = 'it still runs';
  void fanfare.exit.then((ended) => (code = ended));
  await isTrueWithin(LONGEST_STOP_MS, () => code !== 'it still runs');

  expect(code).toBe(0);
});
