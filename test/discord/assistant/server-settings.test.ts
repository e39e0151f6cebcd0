import { expect, test } from 'vitest';
import type { ServerSettings } from '#src/admin/servers/server-store.ts';
import { de } from '#src/discord/language/de/index.ts';
import { type FixtureOptions, openAssistant, type Script } from './fixture.ts';

const BOT = '<@1202584131993600002>';

/** A server whose language in Discord is English, with these settings in Fanfare. */
async function openServer(chosen: Partial<Pick<ServerSettings, 'language' | 'zone'>>, options: FixtureOptions = {}) {
  const fixture = await openAssistant(options);
  const { guildId } = fixture.discord;
  await fixture.store.servers.join({ id: guildId, name: 'Home', joinedAt: new Date() });
  await fixture.store.servers.change(guildId, chosen);
  return fixture;
}

/** Writes a first word, and then hangs. */
const stuck: Script = async function* (_, signal) {
  yield 'I think ';
  await new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })); // `abort()` has an Error as its reason
};

test('answers to messages have the language that the server chose: the refusal of a mention', async () => {
  await using fixture = await openServer({ language: 'de' }, { settings: { roles: { ask: ['Moderator'] } } });
  const [, , member] = fixture.people;

  const [answer] = await fixture.answerTo((await fixture.sendMessage(`${BOT} one`, { user: member })).id);

  expect(answer.content).toBe(`-# ${de.errors.notAllowed}`);
});

test('answers to messages have the language that the server chose: the button and the failure of a reply', async () => {
  let fails = false;
  const script: Script = async function* () {
    yield 'Yes.';
    if (fails) throw new Error('a bug of ours');
  };
  await using fixture = await openServer({ language: 'de' }, { script });

  const [answer] = await fixture.answerTo((await fixture.sendMessage(`${BOT} one`)).id);
  fails = true;
  const [failed] = await fixture.answerTo((await fixture.sendMessage('two', { replyTo: answer.id })).id);

  expect(JSON.stringify(answer.components)).toContain(de.assistant.goOn);
  expect(failed.content).toBe(`Yes.\n-# ${de.assistant.brokenOff(de.errors.ours)}`);
});

test.for([
  ['everyone', {}, de.assistant.interrupted],
  ['the member', { private: true }, 'The bot was restarted during the answer. Ask again.'],
] as const)('a crash is reported in the language of those who see the answer: %s', async ([, options, notice]) => {
  await using fixture = await openServer({ language: 'de' }, { script: stuck });
  const { id } = await fixture.command('ask', { text: 'one', ...options }, { waitMs: 0, locale: 'en-US' });
  await expect.poll(async () => (await fixture.reload(id)).message?.content).toBe('I think');

  await fixture.restart('crash');

  await expect.poll(async () => (await fixture.reload(id)).message?.content).toBe(`I think\n-# ${notice}`);
});
