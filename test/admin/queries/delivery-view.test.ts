import { expect, test } from 'vitest';
import { toDeliveryView } from '#src/admin/queries/deliveries.ts';
import type { Delivery } from '#src/engine/delivery/delivery.ts';
import { newDelivery } from '#src/engine/delivery/new-delivery.ts';
import { creating, firing, SLOT_MS } from '../../support/firings.ts';

function sent(change: Partial<Delivery>): Delivery {
  const fired = firing([creating(['mastodon'])]);
  const [step] = fired.steps;
  if (!step) throw new Error('the firing has no step');
  return { ...newDelivery(step, fired, { nowMs: SLOT_MS }), state: 'sent', ...change };
}

const message = { id: '1', url: 'https://mastodon.example/1', text: 'a private word', visibility: 'direct' };
const post = { ...message, text: 'hello', visibility: 'public' };
const LOOK_UP = { do: 'social.getMentions', creates: false };

test.for([
  ['a look-up with a direct post has no result', { ...LOOK_UP, result: { items: [post, message] } }, undefined],
  [
    'an answer of the assistant to a direct post has none',
    { do: 'assistant.ask', creates: false, result: { message: { text: 'a' } }, origins: [{ restriction: 'direct' }] },
    undefined,
  ],
  ['a look-up of public posts has it', { ...LOOK_UP, result: { items: [post] } }, { items: [post] }],
  ['a sent message has it, with its address', { do: 'social.sendMessage', result: message }, message],
] as const)('%s', ([, change, result]) => {
  expect(toDeliveryView(sent(change as Partial<Delivery>)).result).toEqual(result); // plain records of this test
});

test.for([
  ['assistant.ask', [{ restriction: 'direct' }], undefined],
  ['social.getAssistantResponse', [{ restriction: 'direct' }], undefined],
  ['assistant.ask', undefined, 'a private word'],
  ['social.sendMessage', [{ restriction: 'direct' }], 'a private word'],
] as const)('the text of %s with the origins %j is %s', ([verb, origins, text]) => {
  const view = toDeliveryView(sent({ do: verb, params: { text: 'a private word' }, origins }));

  expect([view.text, view.texts?.[0]?.text]).toEqual([text, text]);
});

test.for([
  ['social.getPosts', true],
  ['assistant.ask', true],
  ['social.getAssistantResponse', undefined],
  ['discord.send', undefined],
  ['discord.gone', undefined],
] as const)('the view of %s has isRead: %o', ([verb, isRead]) => {
  expect(toDeliveryView(sent({ do: verb })).isRead).toBe(isRead);
});
