import type { RepliableInteraction } from 'discord.js';
import { expect, test } from 'vitest';
import { PlatformError, type Fault } from '#src/errors.ts';
import { wordsFor } from '#src/discord/language/languages.ts';
import { explain, refuse } from '#src/discord/refusal.ts';

const ofAssistant = (fault: Fault): PlatformError => new PlatformError('why', { platform: 'openai', fault });

test.for(['en-US', 'de'] as const)('in %s each cause of a failed question has its own text', (locale) => {
  const words = wordsFor(locale);
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

  const texts = causes.map((fault) => explain(ofAssistant(fault), words));

  expect(new Set(texts).size).toBe(causes.length);
  expect(texts[1]).not.toMatch(/minute/iu);
  expect(texts[3]).toContain('ASSISTANT_MODEL');
  expect(texts[4]).toContain('ASSISTANT_URL');
});

test('a person is answered also if the sign that the bot is at it cannot be deleted', async () => {
  const followUps: unknown[] = [];
  const interaction = {
    deferred: true,
    replied: false,
    isCommand: () => true,
    isModalSubmit: () => false,
    deleteReply: () => Promise.reject(new Error('Discord cannot be reached')),
    followUp: (message: unknown) => Promise.resolve(followUps.push(message)),
  } as unknown as RepliableInteraction; // the parts that a refusal uses

  await refuse(interaction, ofAssistant('quotaExhausted'), wordsFor('en-US'));

  expect(followUps).toMatchObject([{ content: expect.stringContaining('plan and the billing') }]);
});
