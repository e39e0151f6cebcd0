import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { systemClock, type Clock } from '#src/clock.ts';
import { startSandbox } from '#sandbox/index.ts';
import { getJson, launch, untilReady } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TOKEN = 'a-token-of-the-sender-of-this-test';
/** The sandbox accepts so many messages to a channel in five seconds. */
const LIMIT = 5;
const RULES = 12;

const rule = (id: string, channel: string): string => `id: ${id}
when: { webhook: burst, fields: { id?: text } }
then:
  - { do: discord.send, with: { channel: ${channel}, content: ${id} } }
`;

const Messages = z.object({ items: z.array(z.object({ content: z.string(), at: z.string() })) });

test('messages that a channel has no room for keep their order, and delay no message to another channel', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder({ inMemory: true }));
  // Otherwise, the window of the limit could end before the message to the other channel.
  let isStopped = true;
  const stoppedMs = Date.now();
  const clock: Clock = { ...systemClock, nowMs: () => (isStopped ? stoppedMs : Date.now()) };
  const sandbox = stack.use(await startSandbox({ clock }));
  mkdirSync(join(folder.path, 'rules'));
  const ids = Array.from({ length: RULES }, (_, index) => `burst-${String(index).padStart(2, '0')}`);
  for (const id of ids) writeFileSync(join(folder.path, 'rules', `${id}.yaml`), rule(id, 'live'));
  writeFileSync(join(folder.path, 'rules', 'other.yaml'), rule('other', 'general'));
  const fanfare = stack.use(
    await launch({
      environment: {
        ...sandbox.environment,
        FANFARE_DATA: join(folder.path, 'data'),
        FANFARE_RULES: join(folder.path, 'rules'),
        FANFARE_WEBHOOK_BURST_TOKEN: TOKEN,
        LOG_LEVEL: 'warn',
      },
    }),
  );
  await untilReady(fanfare);

  const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
  const { statusCode, body } = await request(`${fanfare.url}/hooks/burst`, { method: 'POST', headers, body: '{}', reset: true });
  await body.dump();
  expect(statusCode).toBe(202);

  const messagesIn = async (channel: string) => Messages.parse(await getJson(`${sandbox.url}/control/messages?channel=${channel}`)).items;
  await expect.poll(() => messagesIn('general')).toHaveLength(1);
  expect(await messagesIn('live')).toHaveLength(LIMIT);
  isStopped = false;
  await expect.poll(() => messagesIn('live')).toHaveLength(RULES);
  const live = await messagesIn('live');
  expect(live.toSorted((one, next) => Date.parse(one.at) - Date.parse(next.at)).map(({ content }) => content)).toEqual(ids);
});
