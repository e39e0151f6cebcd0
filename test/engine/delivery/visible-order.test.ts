import { expect, test } from 'vitest';
import { catalogue } from '#src/clients/catalogue.ts';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { visibleOrderOf } from '#src/engine/delivery/visible-order.ts';

function orderOf(verb: string, params: JsonObject = {}, { watch, item }: { readonly watch?: string; readonly item?: string } = {}) {
  const fired = item === undefined ? undefined : { key: item, name: item };
  return visibleOrderOf({ do: verb, rule: 'live', item: fired }, params, { catalogue, watch });
}

test('messages of a channel have an order, and those of different channels do not', () => {
  expect(orderOf('discord.send', { channel: 'live' })).toBe(orderOf('discord.ask', { channel: 'live' }));
  expect(orderOf('discord.send', { channel: 'live' })).not.toBe(orderOf('discord.send', { channel: 'news' }));
  expect(orderOf('discord.send', { user: 'ada' })).toBe('user ada');
});

test('posts have an order if the items of their rule have one', () => {
  expect(orderOf('social.createPost', {}, { watch: 'streaming.getStreams' })).toBeUndefined();
  expect(orderOf('social.createPost')).toBeUndefined();
  expect(orderOf('social.createPost', {}, { watch: 'feed.getItems' })).toBe('rule live');
  expect(orderOf('social.createPost', {}, { watch: 'streaming.getTopStreams' })).toBe('rule live');
});

test('changes of a message have an order', () => {
  expect(orderOf('discord.edit', { message: 'live/1' })).toBe('message live/1');
  expect(orderOf('discord.edit', { message: 'live/1' })).not.toBe(orderOf('discord.edit', { message: 'live/2' }));
});

test('other writes keep the order of the account in each server, because they may change the same thing', () => {
  const [one, other] = [`followed/${'1'.repeat(18)}/ada`, `followed/${'2'.repeat(18)}/ada`];
  expect(orderOf('discord.put', { name: 'last', channel: 'live' })).toBe(orderOf('discord.put', { name: 'last', channel: 'news' }));
  expect(orderOf('discord.addRole', { user: 'ada', role: 'Live' })).toBe(orderOf('discord.removeRole', { user: 'grace', role: 'Live' }));
  expect(orderOf('discord.addRole', { user: 'ada' }, { item: one })).not.toBe(orderOf('discord.addRole', { user: 'ada' }, { item: other }));
});

test('reads have no order', () => {
  expect(orderOf('social.getPosts', { user: 'ada' })).toBeUndefined();
  expect(orderOf('streaming.getTopStreams')).toBeUndefined();
});
