import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#src/clients/operation/json.ts';
import { Simulation } from '#src/engine/simulation/simulation.ts';
import { catalogue, ruleOf } from '../../support/rule-language.ts';

const START_MS = Date.parse('2026-11-20T18:00:00Z');

const post = (id: string, visibility: string, handle = 'grace'): JsonObject => ({
  platform: 'mastodon',
  id,
  visibility,
  text: `text of ${id}`,
  author: { platform: 'mastodon', id: handle, handle, displayName: handle },
});

/** The deliveries of a rule for new items. Each look-up has `found` as its result. */
async function runOn(items: readonly JsonObject[], steps: string, found: Json = { items: [] }) {
  const rule = ruleOf(
    `id: r\nwhen: { every: 1m, watch: social.getMentions, account: mastodon, include: [followers, direct], first: fire }\nthen:\n${steps}`,
  );
  const world = {
    resultOf: ({ step }: { readonly step: { readonly do: string } }): Json => (step.do === 'discord.send' ? { id: 'm' } : found),
  };
  const simulation = new Simulation({ rule, catalogue, world });
  const { done, undone } = await simulation.slot({ slotMs: START_MS, poll: { items, complete: true } });
  return { params: done.map(({ params }) => params), reasons: undone.map(({ reason }) => reason), undone };
}

test('the assistant has a separate conversation for each set of readers', async () => {
  const ask = '  - { do: assistant.ask, with: { text: "${{ item.text }}", conversation: chat } }\n';
  const items = [post('1', 'public'), post('2', 'direct'), post('3', 'direct'), post('4', 'direct', 'ada'), post('5', 'followers')];

  const { params } = await runOn(items, ask);

  const names = params.map(({ conversation }) => conversation);
  expect(names[0]).toBe('chat');
  expect(names[1]).toBe(names[2]);
  expect(new Set(names).size).toBe(4);
});

test('a look-up has the records that everyone can read, and with include the others', async () => {
  const found = { items: [post('1', 'public'), post('2', 'direct')] };
  const send = '  - { do: discord.send, with: { channel: live, content: "${{ steps.found.items.map(one, one.id).join() }}" } }\n';
  const lookUp = (include: string): string =>
    `  - { id: found, do: social.getPosts, as: mastodon, with: { user: ada }${include} }\n${send}`;

  expect((await runOn([post('9', 'public')], lookUp(''), found)).params.at(-1)).toMatchObject({ content: '1' });
  expect((await runOn([post('9', 'public')], lookUp(', include: [direct]'), found)).reasons).toEqual([
    { kind: 'widerAudience', restriction: 'direct' },
  ]);
});

test('one restricted element does not suppress the others', async () => {
  const found = { items: [post('1', 'public'), post('2', 'followers'), post('3', 'unlisted')] };
  const steps = `  - { id: found, do: social.getPosts, as: mastodon, with: { user: ada }, include: [followers] }
  - { do: discord.send, forEach: steps.found.items, with: { channel: live, content: "\${{ it.text }}" } }\n`;

  const { params, reasons } = await runOn([post('9', 'public')], steps, found);

  expect(params.slice(1).map(({ content }) => content)).toEqual(['text of 1', 'text of 3']);
  expect(reasons).toEqual([{ kind: 'widerAudience', restriction: 'followers' }]);
});

test('no server gets an address that is composed of a restricted record', async () => {
  const picture = 'https://files.mastodon.example/1.png';
  const item = { ...post('1', 'direct'), text: 'our secret', media: [{ url: picture, kind: 'image' }] };
  const lookUp = (url: string, more = ''): string => `  - { do: feed.getItems, with: { url: "${url}" }${more} }\n`;
  const reply = (file: string): string =>
    `  - { do: social.createPost, as: mastodon, with: { replyTo: "\${{ item.id }}", text: hi, files: ["${file}"] } }\n`;
  const upload = '  - { do: social.uploadMedia, as: mastodon, with: { file: "https://charts.example/?text=${{ item.text }}" } }\n';
  const skipped = [{ kind: 'widerAudience', restriction: 'direct' }];

  expect((await runOn([item], lookUp('https://translate.example/feed?q=${{ item.text }}'))).reasons).toEqual(skipped);
  expect((await runOn([item], lookUp("${{ 'https://translate.example/?q=' + item.text }}"))).reasons).toEqual(skipped);
  expect((await runOn([item], reply('https://charts.example/?text=${{ item.text }}'))).reasons).toEqual(skipped);
  expect((await runOn([item], upload)).reasons).toEqual(skipped);
  expect((await runOn([post('1', 'public')], lookUp('https://translate.example/feed?q=${{ item.id }}'))).reasons).toEqual([]);
  expect((await runOn([item], lookUp('https://translate.example/feed?q=${{ item.id }}', ', audience: public'))).reasons).toEqual([]);
  expect((await runOn([item], lookUp('https://blog.example/feed.xml'))).reasons).toEqual([]);
  expect((await runOn([item], reply('${{ item.media[0].url }}'))).reasons).toEqual([]);
});

test('the reason of a skipped step has no texts of records that not everyone can read', async () => {
  const send = (condition: string): string => `{ do: discord.send, if: '${condition}', with: { channel: live, content: hi } }`;
  const answer = { message: { text: 'my answer to text of 1' } };
  const steps = `  - ${send('item.text == "hi"')}
  - { id: draft, do: assistant.ask, with: { text: "\${{ item.text }}" } }
  - ${send('steps.draft.message.text == "hi"')}\n`;

  const { reasons } = await runOn([post('1', 'direct')], steps, answer);

  expect(reasons).toMatchObject([
    { kind: 'stepIf', condition: { clauses: [{ values: [{ expression: 'item.text', value: '…' }] }] } },
    { kind: 'stepIf', condition: { clauses: [{ values: [{ expression: 'steps.draft.message.text', value: '…' }] }] } },
  ]);
  expect(JSON.stringify((await runOn([post('1', 'public')], steps, answer)).reasons)).toContain('text of 1');
});

test('the error of a step has no texts of records that not everyone can read', async () => {
  const steps = `  - { do: discord.send, with: { channel: live, content: "\${{ {'a': 'b'}[item.text] }}" } }
  - { do: discord.send, if: '{"a": true}[item.text]', with: { channel: live, content: hi } }
  - { do: social.createPost, as: mastodon, with: { text: hi, visibility: "\${{ item.text }}" } }\n`;
  const messages = async (visibility: string): Promise<readonly unknown[]> =>
    (await runOn([post('1', visibility)], steps)).undone.map(({ message }) => message);

  const isQuoted = expect.stringContaining('text of 1');
  expect(await messages('public')).toEqual([isQuoted, isQuoted, isQuoted]);
  expect(await messages('direct')).toEqual([
    'discord.send: no such key',
    'if: {"a": true}[item.text] cannot be evaluated: no such key',
    'social.createPost: visibility: expected public, unlisted, followers or direct, found …',
  ]);
});

test('a restricted reply does not suppress a digest of comments', async () => {
  const thread = (id: string, visibility: string): JsonObject => ({
    id,
    root: post(id, visibility),
    replies: [{ depth: 1, post: post(`${id}1`, 'followers') }],
  });
  const steps = `  - { id: found, do: social.getPostComments, as: mastodon, with: { post: "1" } }
  - { do: discord.send, with: { channel: live, content: "\${{ steps.found.items.map(one, one.root.text).join() }}" } }\n`;

  const { params, reasons } = await runOn([post('9', 'public')], steps, { items: [thread('1', 'public'), thread('2', 'direct')] });

  expect(reasons).toEqual([]);
  expect(params.at(-1)).toMatchObject({ content: 'text of 1' });
});
