import { expect, test } from 'vitest';
import type { ShownDelivery } from '#src/admin/queries/records.ts';
import { deliveryCard } from '#src/discord/controls/lists.ts';
import { en } from '#src/discord/language/en/index.ts';
import { POST_RULE } from '#src/engine/posting/posts.ts';
import { storedDelivery } from '../../support/stored-delivery.ts';

function unknown(content: string): ShownDelivery {
  return {
    ...storedDelivery({ do: 'discord.send', state: 'unknown', params: { content } }),
    position: { id: 'card', section: 'then', number: 1 },
  };
}

test.for([
  ['a text that runs backwards', 'stream \u202Eevil', 'stream evil'],
  ['a fence', 'a ``` @everyone', "a ''' @everyone"],
  ['an emoji where it is cut', `${'x'.repeat(499)}🎮`, 'x'.repeat(499)],
] as const)('what a delivery would have said is shown within its block, also with %s', ([, content, shown]) => {
  const { embeds } = deliveryCard(unknown(content), { texts: en, locale: 'en-GB' });
  const description = embeds?.[0]?.description ?? '';

  expect(description).toContain(`\`\`\`\n${shown}`);
  expect(description.isWellFormed()).toBe(true);
  expect(description).not.toContain('\u202E');
  expect(description.split('```')).toHaveLength(3);
});

test.for([
  [undefined, false],
  [true, true],
] as const)('an open question of which the stream is over (%o) shows it: %o', ([isOver, isShown]) => {
  const asked = { ...unknown('Shall I?'), state: 'asked', isOver } as const;

  const { embeds } = deliveryCard(asked, { texts: en, locale: 'en-GB' });

  expect(embeds?.[0]?.description?.includes('the stream is over')).toBe(isShown);
});

test.for([
  ['social.getPosts', '**read**'],
  ['discord.send', '**sent**'],
] as const)('the state of %s is shown as %s', ([verb, word]) => {
  const delivery = { ...unknown('hi'), do: verb, state: 'sent' } as const;

  expect(deliveryCard(delivery, { texts: en, locale: 'en-GB' }).embeds?.[0]?.description).toContain(word);
});

test('the post and the failure notice of a member have different names, and waiting ones the time when they are due', () => {
  const dueAt = new Date('2030-01-01T18:00:00Z');
  const post = { ...unknown('Chess'), rule: POST_RULE, step: 'post', postedBy: 'ada', state: 'pending', since: undefined, dueAt } as const;

  const [first, second] = [post, { ...post, step: '1' }].map(
    (one) => deliveryCard(one, { texts: en, locale: 'en-GB' }).embeds?.[0]?.description,
  );

  expect(first).toContain(`${en.controls.delivering.post('ada')}: `);
  expect(second).toContain(`${en.controls.delivering.failureNotice('ada')}: `);
  for (const line of [first, second]) expect(line).toContain(en.controls.delivering.due(`<t:${dueAt.getTime() / 1000}:R>`));
});
