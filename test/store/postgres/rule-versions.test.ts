import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '#src/app/accounts.ts';
import { configOfEnvironment } from '#src/config/config.ts';
import { ConfigError } from '#src/errors.ts';
import { publishApproved } from '#src/engine/rule-sets/approve-rule.ts';
import { createFolderCheck } from '#src/engine/rule-sets/check-folder.ts';
import { createPublishedCheck } from '#src/engine/rule-sets/check-published.ts';
import { planLines } from '#src/engine/rule-sets/plan-lines.ts';
import { planReload } from '#src/engine/rule-sets/plan-reload.ts';
import { createRulePublisher, type PublicationPlan } from '#src/engine/rule-sets/rule-publisher.ts';
import { publishedHash, type PublishedFile, type RuleVersions } from '#src/engine/rule-sets/rule-versions.ts';
import type { PostgresStore } from '#src/store/postgres/open.ts';
import { ReplacedRule } from '#src/engine/scheduler/rule-states.ts';
import { ruleSetOf } from '#src/rules/rule-set.ts';
import { cardRule } from '../../engine/rule-sets/fixture.ts';
import { committing, SLOT_MS } from '../../support/firings.ts';
import { openEmptyStore } from '../../support/postgres-stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOSTILE_NAMES = [
  '../a.yaml',
  'a/../../b.yaml',
  '/etc/a.yaml',
  'C:\\a.yaml',
  'a\\..\\b.yaml',
  'C:a.yaml',
  '.profile',
  'team/.git/a.yaml',
  'a\u001B[2J.yaml',
  'a\n.yaml',
  'run.sh',
  '',
  `${'x'.repeat(255)}.yaml`,
];

const files = (texts: Readonly<Record<string, string>>): readonly PublishedFile[] =>
  Object.entries(texts).map(([file, source]) => ({ file, source }));

const publish = (versions: RuleVersions, texts: Readonly<Record<string, string>>, after: number) =>
  versions.publish({ files: files(texts), by: 'ada', after });

describe('the versions of the rules', () => {
  test('are empty before the first publication', async () => {
    await using store = await openEmptyStore();

    expect(await store.ruleVersions.inForce()).toBeUndefined();
    expect(await store.ruleVersions.list()).toEqual([]);
    expect(await store.ruleVersions.files(1)).toBeUndefined();
  });

  test('a version has its files, its publisher and its numbers of changes', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    await publish(ruleVersions, { 'a.yaml': 'id: a', 'b.yaml': 'id: b', 'c.yaml': 'id: c' }, 0);
    const second = await ruleVersions.publish({
      files: files({ 'a.yaml': 'id: a', 'b.yaml': 'id: b # new', 'd/d.yaml': 'id: d' }),
      by: 'grace',
      note: 'more',
      after: 1,
    });

    const expected = {
      number: 2,
      hash: expect.any(String) as unknown,
      publishedAt: expect.any(Date) as unknown,
      by: 'grace',
      note: 'more',
      repeats: undefined,
      files: 3,
      added: 1,
      changed: 1,
      deleted: 1,
    };
    expect(second).toEqual({ kind: 'published', version: expected });
    expect(await ruleVersions.inForce()).toEqual(expected);
    const textsOf = async (file: string) => [await ruleVersions.text(1, file), await ruleVersions.text(2, file)];
    expect(await textsOf('a.yaml')).toEqual(['id: a', 'id: a']);
    expect(await textsOf('b.yaml')).toEqual(['id: b', 'id: b # new']);
    expect(await textsOf('c.yaml')).toEqual(['id: c', undefined]);
    expect(await textsOf('d/d.yaml')).toEqual([undefined, 'id: d']);
    expect((await ruleVersions.list()).map(({ number, by }) => [number, by])).toEqual([
      [2, 'grace'],
      [1, 'ada'],
    ]);
    expect(await ruleVersions.files(1)).toEqual(files({ 'a.yaml': 'id: a', 'b.yaml': 'id: b', 'c.yaml': 'id: c' }));
    expect(await ruleVersions.files(2)).toEqual(files({ 'a.yaml': 'id: a', 'b.yaml': 'id: b # new', 'd/d.yaml': 'id: d' }));
  });

  test('a version without files deletes all rules', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    await publish(ruleVersions, { 'a.yaml': 'id: a' }, 0);
    await publish(ruleVersions, {}, 1);

    expect(await ruleVersions.files(2)).toEqual([]);
    expect(await ruleVersions.inForce()).toMatchObject({ number: 2, files: 0, deleted: 1 });
  });

  test.for(HOSTILE_NAMES)('no file is published as %j', async (file) => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    const error = await publish(ruleVersions, { 'a.yaml': 'id: a', [file]: 'id: b' }, 0).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(ConfigError);
    expect(await ruleVersions.inForce()).toBeUndefined();
  });

  test.for(['Live.yaml', 'team/live.yaml', 'a.test.yaml'.replace('a', 'x'.repeat(65))])(
    'an approved rule is not published under an invalid name of a draft: %j',
    async (file) => {
      await using store = await openEmptyStore();
      const publication = store.ruleVersions.publish({ files: [{ file, source: 'id: a', isApproved: true }], by: 'ada', after: 0 });

      await expect(publication).rejects.toThrow(ConfigError);
    },
  );

  test('files can have names with spaces, letters of other languages and folders', async () => {
    await using store = await openEmptyStore();
    const names = ['Ankündigung neu.yml', 'team/live.test.yaml', 'team/live.yaml'];
    await publish(store.ruleVersions, Object.fromEntries(names.map((file) => [file, file])), 0);

    expect((await store.ruleVersions.files(1))?.map(({ file }) => file)).toEqual(names);
  });

  test('the same files create no new version', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    await publish(ruleVersions, { 'a.yaml': 'id: a', 'b.yaml': 'id: b' }, 0);

    expect(await publish(ruleVersions, { 'b.yaml': 'id: b', 'a.yaml': 'id: a' }, 0)).toMatchObject({
      kind: 'same',
      version: { number: 1 },
    });
  });

  test('of simultaneous publications, one succeeds and the others are overtaken', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions } = store;
    await publish(ruleVersions, { 'a.yaml': 'id: a' }, 0);
    const texts = ['1', '2', '3'].map((text) => ({ 'a.yaml': `id: a # ${text}` }));
    const results = await Promise.all(texts.map((some) => publish(ruleVersions, some, 1)));

    expect(results.map(({ kind }) => kind).toSorted()).toEqual(['overtaken', 'overtaken', 'published']);
    expect((await ruleVersions.list()).map(({ number }) => number)).toEqual([2, 1]);
  });

  test('the last 50 versions are kept, and the texts of older ones are deleted', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions, db } = store;
    for (let number = 1; number <= 55; number++)
      await publish(
        ruleVersions,
        { 'a.yaml': 'id: a', 'b.yaml': `id: b # ${number}`, ...(number < 3 && { 'c.yaml': 'id: c' }) },
        number - 1,
      );

    const list = await ruleVersions.list();
    expect([list.length, list[0]?.number, list.at(-1)?.number]).toEqual([50, 55, 6]);
    expect(await ruleVersions.files(5)).toBeUndefined();
    expect(await ruleVersions.files(6)).toEqual(files({ 'a.yaml': 'id: a', 'b.yaml': 'id: b # 6' }));
    const { rows } = await sql<{ readonly texts: number; readonly rows: number }>`
      select (select count(*) from rule_text) as texts, (select count(*) from rule_file) as rows`.execute(db);
    expect(rows).toEqual([{ texts: 51, rows: 51 }]);
  });
});

describe('the commit of a slot', () => {
  const old = 'id: live';
  const fresh = 'id: live # new';
  const slot = (source: string, slotMs = SLOT_MS) => committing([], { rule: 'live', slotMs, published: publishedHash(source) });

  test('is refused if another version of the rule is in force', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions, ruleStates } = store;
    await publish(ruleVersions, { 'live.yaml': old, 'other.yaml': 'id: other' }, 0);
    expect(await ruleStates.commit(slot(old))).toBe(true);
    expect(await ruleStates.commit(slot(old))).toBe(false);
    await publish(ruleVersions, { 'live.yaml': fresh, 'other.yaml': 'id: other' }, 1);

    await expect(ruleStates.commit(slot(old, SLOT_MS + 1))).rejects.toThrow(ReplacedRule);
    expect((await ruleStates.load('live')).slotMs).toBe(SLOT_MS);
    expect(await ruleStates.commit(slot(fresh, SLOT_MS + 1))).toBe(true);
    // An unchanged rule of the same version continues.
    expect(await ruleStates.commit(committing([], { rule: 'other', published: publishedHash('id: other') }))).toBe(true);
    await publish(ruleVersions, { 'other.yaml': 'id: other' }, 2);
    await expect(ruleStates.commit(slot(fresh, SLOT_MS + 2))).rejects.toThrow(ReplacedRule);
  });

  test('waits for a publication that runs, and is refused after it', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions, ruleStates, db } = store;
    await publish(ruleVersions, { 'live.yaml': old }, 0);
    const publishing = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    // The publication holds its locks until the test continues.
    const publication = db.transaction().execute(async (trx) => {
      await sql`update rule_file set until = 2`.execute(trx);
      reached.resolve();
      await publishing.promise;
    });
    await reached.promise;
    const commit = ruleStates.commit(slot(old));
    const result = commit.catch((error: unknown) => error);
    await waiting(db);
    publishing.resolve();
    await publication;

    expect(await result).toBeInstanceOf(ReplacedRule);
    expect((await ruleStates.load('live')).slotMs).toBeUndefined();
  });

  test('comes before a publication that waits for it', async () => {
    await using store = await openEmptyStore();
    const { ruleVersions, ruleStates, db } = store;
    await publish(ruleVersions, { 'live.yaml': old }, 0);
    // A transaction that has read the file, as the commit of a slot.
    const commit = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slotCommit = db.transaction().execute(async (trx) => {
      await sql`select 1 from rule_file where until is null for share`.execute(trx);
      reached.resolve();
      await commit.promise;
    });
    await reached.promise;
    let isPublished = false;
    const publication = publish(ruleVersions, { 'live.yaml': fresh }, 1).then(() => (isPublished = true));
    await waiting(db);
    expect(isPublished).toBe(false);
    commit.resolve();
    await slotCommit;
    await publication;

    await expect(ruleStates.commit(slot(old))).rejects.toThrow(ReplacedRule);
  });
});

/** Resolves when a transaction waits for a lock of another one. */
async function waiting(db: PostgresStore['db']): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ readonly count: number }>`
      select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db);
    if ((rows[0]?.count ?? 0) > 0) return;
  }
}

test('a publisher compares a folder with the version in force, keeps approved rules and rolls back', async () => {
  await using store = await openEmptyStore();
  const { ruleVersions: versions } = store;
  using folder = temporaryFolder({ inMemory: true });
  const options = { accounts: accountsOf(configOfEnvironment({})), isOn: () => true };
  const [check, checkPublished] = [createFolderCheck({ folder: folder.path, ...options }), createPublishedCheck(options)];
  const publisher = createRulePublisher({
    versions,
    checkFolder: (approved) => check(SLOT_MS, approved),
    ruleSetOf: async (published) => ruleSetOf(await checkPublished(published, SLOT_MS), options),
    describe: (before, after) => planLines(planReload({ before, after, isOn: () => true }), store),
  });
  const write = (file: string, text: string): Promise<void> => writeFile(join(folder.path, file), text);
  const textOf = ({ lines }: PublicationPlan): readonly string[] => lines.map(({ symbol, text }) => `${symbol} ${text}`);
  const publishPlan = async (plan: PublicationPlan) => {
    const { kind, version } = await publisher.publish(plan, { by: 'ci' });
    return [kind, version.number];
  };

  expect(await publisher.approved()).toEqual([]);
  await expect(publisher.planRollback()).rejects.toThrow('there is no version before');
  await expect(publisher.planDeletion('live')).rejects.toThrow('no rule live is in force');
  await write('live.yaml', cardRule('live'));
  const first = await publisher.planPush();
  expect(textOf(first)).toEqual(['+ live']);
  expect(await publishPlan(first)).toEqual(['published', 1]);
  expect(await publishPlan({ ...first, files: [] })).toEqual(['overtaken', 1]);
  expect(await publishPlan(await publisher.planPush())).toEqual(['same', 1]);

  for (const rule of ['raid', 'chess'])
    await publishApproved(
      { rule, source: cardRule(rule), tests: `rule: ${rule}\n`, by: 'Grace' },
      { ...options, versions, nowMs: () => 0 },
    );
  await write('more.yaml', cardRule('more'));
  const kept = await publisher.planPush();
  expect([kept.kept, kept.errors, textOf(kept)]).toEqual([['chess.yaml', 'raid.yaml'], 0, ['+ more']]);
  expect(await publishPlan(kept)).toEqual(['published', 4]);
  await expect(publisher.planDeletion('live')).rejects.toThrow('live is not a rule that a member approved');
  await expect(publisher.planDeletion('gone')).rejects.toThrow(expect.objectContaining({ hint: 'approved in Discord: chess, raid' }));
  const deletion = await publisher.planDeletion('chess');
  expect(textOf(deletion)).toEqual(['- chess']);
  expect(await publishPlan(deletion)).toEqual(['published', 5]);
  expect((await publisher.approved()).map(({ file }) => file)).toEqual(['raid.test.yaml', 'raid.yaml']);

  expect(await publishPlan(await publisher.planRollback(1))).toEqual(['published', 6]);
  expect((await publisher.list())[0]).toMatchObject({ number: 6, repeats: 1 });
  await expect(publisher.planRollback()).rejects.toThrow('there is no version before');
  await expect(publisher.planRollback(9)).rejects.toThrow('there is no version 9');

  await write('live.yaml', 'id: live\nwenn: now\n');
  expect(await publisher.planPush()).toMatchObject({ errors: 2, lines: [] });
});
