import { expect, test } from 'vitest';
import type { Approver } from '#src/clients/assistant/drafts.ts';
import type { PublishedFile, RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import { sourceToWrite } from '#src/admin/scaffold/source-to-write.ts';
import type { PostgresStore } from '#src/store/postgres/open.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { openAssistantStage, scriptedModel, type AssistantFixture } from './fixture.ts';

const ruleOf = (id: string): string => `id: ${id}
when: { every: 5m, watch: streaming.getGameStreams, with: { game: Chess }, account: twitch }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.url }}" } }]
`;
const RULE = ruleOf('chess-news');
/** The stage runs on a sandbox. */
const WRITTEN = sourceToWrite(RULE, { sandbox: 'outside' });
const TESTS = `rule: chess-news
start: 2026-11-20T18:00:00Z
cases:
  - it: tells of who is new
    polls:
      - { at: 0s, items: [{ key: ada }] }
      - { at: 5m, items: [{ key: ada }, { key: grace }] }
    expect: [{ at: 5m, do: discord.send, with: { content: /grace/ } }]
`;
const grace: Approver = { id: 'g1', name: 'Grace', server: { id: 's1' }, may: () => true };

const files = (texts: Readonly<Record<string, string>>): readonly PublishedFile[] =>
  Object.entries(texts).map(([file, source]) => ({ file, source }));

async function publish(versions: RuleVersions, texts: Readonly<Record<string, string>>): Promise<void> {
  await versions.publish({ files: files(texts), by: 'ci', after: (await versions.inForce())?.number ?? 0 });
}

/** A process with the assistant, over a store that processes share, and its draft. */
async function drafted(
  store: PostgresStore,
  input: object = { rule: RULE, tests: TESTS },
): Promise<AssistantFixture & { readonly id: string }> {
  const fixture = await openAssistantStage({ model: scriptedModel([['draft_rule', input]]), store });
  for await (const piece of fixture.assistant.ask({ conversation: 'here', text: 'draft it', by: 'ada' })) void piece;
  return Object.assign(fixture, { id: fixture.kept[0] ?? '' });
}

/** The version in force. */
async function inForce({ ruleVersions }: PostgresStore) {
  const version = await ruleVersions.inForce();
  return version && { ...version, files: await ruleVersions.files(version.number) };
}

test('an approved rule is published with the rules in force and with its tests, and no file is written', async () => {
  await using store = await openEmptyStore();
  await publish(store.ruleVersions, { 'live.yaml': ruleOf('live') });
  await using fixture = await drafted(store);
  await using other = await openAssistantStage({ store });

  expect(await fixture.drafts.approve(fixture.id, grace)).toEqual({ state: 'approved', where: 'chess-news.yaml' });

  expect(await inForce(store)).toMatchObject({
    number: 2,
    by: 'Grace',
    approves: 'chess-news',
    files: [
      { file: 'chess-news.test.yaml', source: TESTS, isApproved: true },
      { file: 'chess-news.yaml', source: WRITTEN, isApproved: true },
      { file: 'live.yaml', source: ruleOf('live') },
    ],
  });
  expect(fixture.files()).toEqual({});
  // Another process runs it.
  expect((await other.registry.read()).rules.map(({ id }) => id)).toEqual(['chess-news', 'live']);
});

test('a first rule can be approved before anything is published', async () => {
  await using store = await openEmptyStore();
  await using fixture = await drafted(store, { rule: RULE });

  expect(await fixture.drafts.approve(fixture.id, grace)).toMatchObject({ state: 'approved' });
  expect(await inForce(store)).toMatchObject({ number: 1, files: [{ file: 'chess-news.yaml' }] });
});

test('two processes that handle one approval publish one version', async () => {
  await using store = await openEmptyStore();
  await using first = await drafted(store);
  await using second = await openAssistantStage({ store });

  const decisions = await Promise.all([first, second].map((one) => one.drafts.approve(first.id, grace)));

  expect(decisions.map(({ state }) => state)).not.toContain('refused');
  expect((await store.ruleVersions.list()).map(({ approves }) => approves)).toEqual(['chess-news']);
});

test('an approval that stopped after the publication can be repeated', async () => {
  await using store = await openEmptyStore();
  await using fixture = await drafted(store, { rule: RULE });
  await publish(store.ruleVersions, { 'chess-news.yaml': WRITTEN });

  expect(await fixture.drafts.approve(fixture.id, grace)).toMatchObject({ state: 'approved' });
  expect(await inForce(store)).toMatchObject({ number: 1 });
});

test('a version that is published at the same time keeps its rules', async () => {
  await using store = await openEmptyStore();
  const { ruleVersions } = store;
  await publish(ruleVersions, { 'live.yaml': ruleOf('live') });
  let races = 2;
  const racing: RuleVersions = {
    ...ruleVersions,
    async publish(publication) {
      if (races-- > 0) await publish(ruleVersions, { 'live.yaml': ruleOf('live'), [`raid-${races}.yaml`]: ruleOf(`raid-${races}`) });
      return ruleVersions.publish(publication);
    },
  };
  await using fixture = await drafted({ ...store, ruleVersions: racing }, { rule: RULE });

  expect(await fixture.drafts.approve(fixture.id, grace)).toMatchObject({ state: 'approved' });
  expect((await inForce(store))?.files?.map(({ file }) => file)).toEqual(['chess-news.yaml', 'live.yaml', 'raid-0.yaml']);
});

test.for([
  ['a file of this name', { 'chess-news.yaml': '# mine\n' }],
  ['a rule with this id in another file', { 'games/chess.yaml': RULE }],
] as const)('%s that this process has not read yet is not replaced, and the draft stays open', async ([, texts]) => {
  await using store = await openEmptyStore();
  await using fixture = await drafted(store, { rule: RULE });
  await publish(store.ruleVersions, texts);

  expect(await fixture.drafts.approve(fixture.id, grace)).toMatchObject({ state: 'refused' });
  expect(await inForce(store)).toMatchObject({ number: 1, by: 'ci' });
  expect(await fixture.drafts.find(fixture.id)).toMatchObject({ state: 'open' });
});

test('errors of other rules do not prevent an approval', async () => {
  await using store = await openEmptyStore();
  await publish(store.ruleVersions, { 'broken.yaml': 'id: broken\nwenn: now\n' });
  await using fixture = await drafted(store, { rule: RULE });

  expect(await fixture.drafts.approve(fixture.id, grace)).toMatchObject({ state: 'approved' });
});
