import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import { withKnownIds } from '#src/discord/following/known-ids.ts';

type Entries = Readonly<Record<string, JsonObject>>;

const PLATFORMS = ['twitch', 'kick'];
const T = { twitch: 'ada', userIds: { twitch: '1' } };
const K = { kick: 'ada', userIds: { kick: '2' } };
const T3 = { twitch: 'ada', userIds: { twitch: '3' } };
const BOTH = { twitch: 'ada', kick: 'ada', userIds: { twitch: '1', kick: '2' } };

test.for<readonly [string, Entries, Entries, Entries]>([
  ['another streamer with the id of an entry', { ada: K }, { ada: T }, { 'ada-twitch': T }],
  ['another streamer with both ids', { ada: K, 'ada-twitch': T3 }, { ada: T }, { 'ada-1': T }],
  ['two streamers whose ids are swapped', { ada: K, 'ada-kick': T }, { ada: T, 'ada-kick': K }, { 'ada-kick': T, ada: K }],
  ['an account with another id, and another account with that id', { b: T }, { a: T, b: K }, { b: T, 'b-kick': K }],
  ['both accounts of an entry in two entries', { ada: BOTH }, { ada: T, 'ada-kick': K }, { ada: T, 'ada-kick': K }],
  ['both accounts of an entry, the one with its id last', { ada: BOTH }, { x: T, ada: K }, { x: T, ada: K }],
  ['an edited account', { ada: T }, { ada: { ...T, twitch: 'ada_new' } }, { ada: { ...T, twitch: 'ada_new' } }],
  ['an entry that a person wrote', { ada: K }, { ada: { twitch: 'ada' } }, { ada: { twitch: 'ada' } }],
])('an import of %s replaces no other streamer', ([, known, imported, expected]) => {
  const entries = Object.entries(known).map(([id, fields]) => ({ id, list: 'followed', server: '9', fields }));

  expect(withKnownIds(imported, entries, PLATFORMS)).toEqual(expected);
});
