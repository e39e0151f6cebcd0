import { readFileSync } from 'node:fs';
import { DiscordAPIError, type RepliableInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { systemClock } from '#src/clock.ts';
import { explain, isExplained, logFailedWrite, NotAllowed, reasonOf, refuse } from '#src/discord/explain-error.ts';
import { textsFor } from '#src/discord/language/languages.ts';
import { replyPrivately, type Answerable } from '#src/discord/reply.ts';
import { roleNames } from '#src/discord/text/untrusted-text.ts';
import { type Fault, PlatformError, Refused, UserError } from '#src/errors.ts';
import { createLog } from '#src/log.ts';

const ofAssistant = (fault: Fault): PlatformError => new PlatformError('why', { platform: 'openai', fault });

test.for(['en-US', 'de'] as const)('in %s each cause of a failed question has its own text', (locale) => {
  const texts = textsFor(locale);
  const causes = [
    'rateLimited',
    'quotaExhausted',
    'unauthorized',
    'missing',
    'malformed',
    'unreachable',
    'rejected',
    'unavailable',
  ] as const;

  const messages = causes.map((fault) => explain(ofAssistant(fault), texts));

  expect(new Set(messages).size).toBe(causes.length);
  expect(messages[1]).not.toMatch(/minute/iu);
  expect(messages[3]).toContain('ASSISTANT_MODEL');
  expect(messages[4]).toContain('ASSISTANT_URL');
});

test.for([
  ['unavailable', 'Twitch has an outage. Try again in a minute.', 'Twitch ist gestört.'],
  ['unreachable', 'Twitch did not answer.', 'Twitch hat nicht geantwortet.'],
  ['unanswered', 'Twitch did not answer.', 'Twitch hat nicht geantwortet.'],
  ['malformed', 'Twitch returned an unexpected response.', 'Twitch hat unerwartet geantwortet.'],
  ['unauthorized', 'Twitch rejects the credentials of the bot.', 'Twitch lehnt die Anmeldung des Bots ab.'],
  ['forbidden', 'Twitch does not allow this for the account', 'Twitch erlaubt das dem Konto des Bots nicht.'],
] as const)('the fault %s of a platform has its own cause', ([fault, english, german]) => {
  const error = new PlatformError('why', { platform: 'twitch', fault });

  expect(explain(error, textsFor('en-US'))).toContain(english);
  expect(explain(error, textsFor('de'))).toContain(german);
});

/** Refusals of actions that no command or button of Discord begins. */
const OF_OTHERS = new Set(['changed', 'listInUse', 'manyInstances', 'pauseEndsFirst', 'unknownValue', 'wrongValue']);

test('each refusal of an action has a German text', () => {
  const sources = ['rule', 'list', 'server'].map((kind) => readFileSync(`src/admin/actions/${kind}-actions.ts`, 'utf8'));
  const codes = sources.flatMap((source) => [...source.matchAll(/new Refused\('(\w+)'/gu)].map(([, code = '']) => code));

  expect(codes).toContain('tooManyPauses');
  expect(codes.filter((code) => !OF_OTHERS.has(code) && explain(new Refused(code, 'English'), textsFor('de')) === 'English')).toEqual([]);
});

test.for(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNREFUSED', 'UND_ERR_HEADERS_TIMEOUT'])(
  'a request to Discord that ends with %s is no defect of Fanfare',
  (code) => {
    const error = Object.assign(new Error('other side closed'), { code });

    expect(explain(error, textsFor('en-US'))).toBe('Discord did not answer. Try again in a minute.');
    expect(isExplained(error)).toBe(true);
    expect(reasonOf(error)).toBe('other side closed');
  },
);

test.for([new Error('a defect'), Object.assign(new Error('no file'), { code: 'ENOENT' })])('%s is a defect of Fanfare', (error) => {
  const texts = textsFor('en-US');

  expect(explain(error, texts)).toBe(texts.errors.ours);
  expect(isExplained(error)).toBe(false);
  expect(reasonOf(error)).toBeUndefined();
});

const refusal = (code: number, status: number): DiscordAPIError =>
  new DiscordAPIError({ code, message: 'No' }, code, status, 'PATCH', 'https://discord.com/api/v10/channels/1', {});

test.for([
  ['a deleted message', refusal(10_008, 404), []],
  ['a deleted channel', refusal(10_003, 404), []],
  ['an interaction that is over', refusal(10_062, 404), []],
  ['a webhook that is over', refusal(10_015, 404), []],
  ['a missing permission', refusal(50_013, 403), [expect.stringMatching(/ reason=No\n$/u)]],
  ['an archived thread', refusal(50_083, 400), [expect.stringMatching(/ reason=No\n$/u)]],
  ['a defect', new Error('a defect'), [expect.stringMatching(/a defect.* {4}at .*explain-error\.test\.ts/u)]],
] as const)('the line of a write that failed because of %s', ([, error, expected]) => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', secrets: [], write: (line) => void lines.push(line), color: false });

  logFailedWrite(log, error, 'a card could not be edited');

  expect(lines).toEqual(expected);
});

test('a user gets an answer even if the thinking indicator cannot be deleted', async () => {
  const followUps: unknown[] = [];
  const interaction = {
    deferred: true,
    replied: false,
    isCommand: () => true,
    isChatInputCommand: () => false,
    isModalSubmit: () => false,
    deleteReply: () => Promise.reject(new Error('Discord cannot be reached')),
    followUp: (message: unknown) => Promise.resolve(followUps.push(message)),
  } as unknown as RepliableInteraction; // the parts that a refusal uses

  await refuse(interaction, ofAssistant('quotaExhausted'), textsFor('en-US'));

  expect(followUps).toMatchObject([{ content: expect.stringContaining('plan and the billing') }]);
});

test.for(['en-US', 'de'] as const)(
  'in %s an error that names many roles, and an answer with many lines, fit into a message',
  async (locale) => {
    const texts = textsFor(locale);
    const roles = roleNames(Array.from({ length: 20 }, (_, index) => `${index} ${'Röle '.repeat(19)}`));
    const errors = [texts.ruleCommands, texts.ruleButtons, texts.answers].map(({ needsRole }) => new NotAllowed(needsRole(roles)));
    const replies: { readonly content: string }[] = [];
    const interaction = {
      isChatInputCommand: () => false,
      isModalSubmit: () => true,
      fields: { fields: new Map([['text', { value: 'a text of the user '.repeat(100) }]]) },
      reply: (message: { readonly content: string }) => Promise.resolve(replies.push(message)),
    } as unknown as RepliableInteraction & Answerable; // the parts that a refusal and an answer use

    for (const error of [...errors, new UserError('a line\n'.repeat(400))]) await refuse(interaction, error, texts);
    await replyPrivately(interaction, Promise.resolve({ content: 'a line\n'.repeat(400) }), systemClock);

    expect(replies.every(({ content }) => content.length <= 2_000)).toBe(true);
    expect(replies.map(({ content }) => content.includes(texts.errors.yourText))).toEqual([true, true, true, true, false]);
    expect(replies.slice(0, 3).every(({ content }) => content.includes('…**.'))).toBe(true);
  },
);
