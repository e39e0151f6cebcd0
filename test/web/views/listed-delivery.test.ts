import { expect, test } from 'vitest';
import { listedDelivery } from '#src/web/views/listed-delivery.ts';

const DELIVERY = {
  id: 'd1',
  rule: 'top',
  episode: 'e1',
  step: '1',
  account: 'x',
  state: 'sent',
  attempts: 1,
  createdAt: '2026-11-20T18:00:00.000Z',
} as const;

test.for<[verb: string, text: string, shown: string]>([
  ['discord.send', 'New: **Ada** is ||#3|| in __Chess__', 'New: Ada is #3 in Chess'],
  ['discord.edit', String.raw`one more round \(lie\), snake\_case`, 'one more round (lie), snake_case'],
  ['discord.send', 'a \\** b', 'a * b'],
  ['social.createPost', 'New: **Ada** \\(lie\\)', 'New: **Ada** \\(lie\\)'],
])('%s shows %s as %s', ([verb, text, shown]) => {
  expect(listedDelivery({ ...DELIVERY, do: verb, text }).text).toBe(shown);
});

test('lists have the address of the record, and no other value of it', () => {
  const result = { url: 'https://discord.test/1', raw: { content: 'x'.repeat(5_000) } };

  expect(listedDelivery({ ...DELIVERY, do: 'discord.send', result }).result).toEqual({ url: 'https://discord.test/1' });
});
