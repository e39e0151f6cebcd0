import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openRulePublisher } from '#src/app/open-rule-publisher.ts';
import { ConfigError } from '#src/errors.ts';
import { openPostgresStore, type PostgresStore } from '#src/store/postgres/open.ts';
import { openStage, cardRule } from '../engine/rule-sets/fixture.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const postgres = await createDatabase();
afterAll(() => postgres[Symbol.asyncDispose]());

/** Stores an approved file under an invalid name, as a person with access to the database can. */
async function smuggle(store: PostgresStore, file: string): Promise<void> {
  await sql`insert into rule_text (hash, source) values ('hostile', 'id: hostile') on conflict do nothing`.execute(store.db);
  await sql`insert into rule_file (file, since, hash) select ${file}, max(number), 'hostile' from rule_version`.execute(store.db);
  await sql`insert into approved_file (file) values (${file})`.execute(store.db);
}

test('a stored file name never leads out of the rules folder, and a push removes it', async () => {
  using folder = temporaryFolder();
  const rules = join(folder.path, 'rules');
  const clock = new ManualClock();
  await using store = await openPostgresStore({ url: postgres.url, clock });
  await using stage = await openStage({}, { store, clock });
  const files = [
    { file: 'live.yaml', source: cardRule('live') },
    { file: 'raid.yaml', source: cardRule('raid'), isApproved: true },
  ];
  await store.ruleVersions.publish({ files, by: 'ada', after: 0 });
  const names = ['../../x/.profile', '../hostile.yaml', `${folder.path}/absolute.yaml`, '.hidden.yaml', 'sub/hostile.yaml'];
  for (const name of names) await smuggle(store, name);
  await using publisher = await openRulePublisher({ DATABASE_URL: postgres.url, FANFARE_RULES: rules, FANFARE_DATA: folder.path });

  await expect(publisher.pull()).rejects.toThrow(ConfigError);
  expect(await readdir(folder.path, { recursive: true })).toEqual([]);

  await stage.reloads.reload();
  expect(stage.registry.now.rules.map(({ id }) => id).toSorted()).toEqual(['live', 'raid']);
  const bad = stage.registry.now.diagnostics.filter(({ code }) => code === 'file-name');
  expect(bad.map(({ file }) => file).toSorted()).toEqual(names.filter((name) => name !== 'sub/hostile.yaml').toSorted());

  await mkdir(rules);
  await writeFile(join(rules, 'live.yaml'), cardRule('live', { channel: 'shows' }));
  // Names that only have a warning are not published.
  await writeFile(join(rules, 'old.yaml.txt'), cardRule('old'));
  await symlink(folder.path, join(rules, 'shared'));
  const plan = await publisher.planPush();
  expect(plan.errors).toBe(0);
  expect(plan.diagnostics.map(({ severity, code }) => [severity, code])).toEqual([
    ['warning', 'misnamed'],
    ['warning', 'linked-folder'],
  ]);
  await publisher.publish(plan, { by: 'ci' });
  expect((await publisher.approved()).map(({ file }) => file)).toEqual(['raid.yaml']);
  expect(await publisher.pull()).toEqual([`${rules}/raid.yaml`]);
});
