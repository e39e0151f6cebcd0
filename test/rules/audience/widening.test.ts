import { expect, test } from 'vitest';
import type { JsonObject } from '#src/clients/operation/json.ts';
import type { Origin } from '#src/rules/audience/origin.ts';
import { wideningOf, type ReplyFacts } from '#src/rules/audience/widening.ts';
import type { StepResults } from '#src/rules/results.ts';
import { catalogue } from '../../support/rule-language.ts';

const secret: Origin = {
  restriction: 'direct',
  platform: 'mastodon',
  id: '7',
  url: 'https://m.test/7',
  people: ['grace', '12'],
  group: 'crew',
};
const other: Origin = { restriction: 'followers', platform: 'mastodon', id: '8', people: ['ada'] };

interface Case {
  readonly do: string;
  readonly params: JsonObject;
  readonly origins?: readonly Origin[];
  readonly results?: StepResults;
  readonly replies?: ReplyFacts | undefined;
}

const here: ReplyFacts = { platform: 'mastodon', keepAudience: true };
const elsewhere: ReplyFacts = { platform: 'bluesky', keepAudience: true };
const open: ReplyFacts = { platform: 'mastodon', keepAudience: false };

function widened({ do: step, params, origins = [secret], results = {}, replies = here }: Case): Origin | undefined {
  const declared = catalogue.get(step);
  if (declared?.kind !== 'write') throw new Error(`${step} does not write`);
  return wideningOf(declared, { origins, params, results, replies });
}

test.each<Case>([
  { do: 'social.createList', params: { name: 'x', isPrivate: true } },
  { do: 'social.sendMessage', params: { user: 'grace' } },
  { do: 'social.sendMessage', params: { user: '@grace' } },
  { do: 'social.sendMessage', params: { user: '12' } },
  { do: 'social.sendMessage', params: { user: 'crew', inGroup: true } },
  { do: 'social.createPost', params: { replyTo: '7' } },
  { do: 'social.createPost', params: { replyTo: 'https://m.test/7' } },
  { do: 'social.createPost', params: { replyTo: '7' }, replies: undefined },
  { do: 'social.editPost', params: { post: '7' } },
  // An edit keeps the audience of its post, even if a reply does not.
  { do: 'social.editPost', params: { post: '7' }, replies: open },
])('$do with $params keeps the audience', (one) => {
  expect(widened(one)).toBe(undefined);
});

test.each<Case>([
  { do: 'social.createList', params: { name: 'x', isPrivate: false } },
  { do: 'social.createList', params: { name: 'x' } },
  { do: 'social.sendMessage', params: { user: 'linus' } },
  { do: 'social.sendMessage', params: {} },
  // The same name on another platform is another person.
  { do: 'social.sendMessage', params: { user: 'grace' }, replies: elsewhere },
  // A group with the name of a person, and a person with that of a group.
  { do: 'social.sendMessage', params: { user: 'grace', inGroup: true } },
  { do: 'social.sendMessage', params: { user: 'crew' } },
  { do: 'social.createPost', params: {} },
  { do: 'social.createPost', params: { replyTo: '6' } },
  { do: 'social.createPost', params: { replyTo: '7' }, replies: elsewhere },
  { do: 'social.createPost', params: { replyTo: '7' }, replies: open },
  { do: 'social.createPost', params: { post: '7' } },
  { do: 'social.editPost', params: { replyTo: '7' } },
  { do: 'social.editPost', params: { post: '6' } },
])('$do with $params has a wider audience', (one) => {
  expect(widened(one)).toBe(secret);
});

test('each record of a write has to be answered, and the first one that is not is named', () => {
  expect(widened({ do: 'social.createPost', params: { replyTo: '7' }, origins: [secret, other] })).toBe(other);
  expect(widened({ do: 'social.sendMessage', params: { user: 'grace' }, origins: [secret, other, { ...other, id: '9' }] })).toBe(other);
  expect(widened({ do: 'social.createPost', params: {}, origins: [secret, other] })).toBe(secret);
});

test('a reply to an earlier reply of the firing keeps its records, if that one kept the audience', () => {
  const earlier = (keepsAudience: boolean): StepResults => ({
    answer: [{ account: 'mastodon', result: { id: '70', platform: 'mastodon' }, keepsAudience, origins: [secret] }],
  });
  const params = { replyTo: '70' };

  expect(widened({ do: 'social.createPost', params, results: earlier(true) })).toBe(undefined);
  expect(widened({ do: 'social.createPost', params, results: earlier(false) })).toBe(secret);
});
