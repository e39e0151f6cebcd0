import { afterEach, expect, test, vi } from 'vitest';
import { openChat } from './open-chat.ts';

afterEach(() => void vi.useRealTimers());

const HOUR_MS = 3_600_000;
/** Without the bytes of its body, a request has so much time. */
const USUAL_MS = 15_000;
/** At 0.5 Mbit/s, these bytes take 16 seconds. */
const MEGABYTE = 1_000_000;

function fileOf(bytes: number) {
  return { base64: Buffer.alloc(bytes).toString('base64'), name: 'clip.bin' };
}

/** Sends a message that Discord does not answer for an hour, and lets time pass. */
async function sendFor(passMs: number, params: object) {
  const fixture = await openChat();
  const { chat, discord, clock } = fixture;
  await chat.getMessages('live');
  discord.sandbox.faults.add({ platform: 'discord', method: 'POST', route: '/messages', kind: 'delay', ms: HOUR_MS, times: 1 });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const sending = chat.send('live', params).then(
    () => 'sent',
    (error: unknown) => error,
  );
  await expect.poll(() => clock.sleeping).toBe(1);
  vi.advanceTimersByTime(passMs);
  vi.useRealTimers();
  return { ...fixture, sending };
}

const NOTHING = { files: [] };
const ONE_FILE = { files: [fileOf(MEGABYTE)] };
const TWO_FILES = { files: [fileOf(MEGABYTE), fileOf(MEGABYTE)] };

test.for([
  ['no file', NOTHING, USUAL_MS - 1_000],
  ['one file', ONE_FILE, USUAL_MS + 15_000],
  ['two files', TWO_FILES, USUAL_MS + 31_000],
] as const)('a message with %s may take as long as a slow line needs', async ([, params, passMs]) => {
  await using fixture = await sendFor(passMs, { content: 'hello', ...params });

  await fixture.clock.advance(HOUR_MS);

  expect(await fixture.sending).toBe('sent');
});

test.for([
  ['no file', NOTHING, USUAL_MS + 1_000],
  ['one file', ONE_FILE, USUAL_MS + 17_000],
  ['two files', TWO_FILES, USUAL_MS + 33_000],
] as const)('a message with %s fails after that time', async ([, params, passMs]) => {
  await using fixture = await sendFor(passMs, { content: 'hello', ...params });

  expect(await fixture.sending).toMatchObject({ fault: 'unanswered' });
});
