import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Actor } from '#src/admin/actions/actor.ts';
import { openPostgresStore } from '#src/store/postgres/open.ts';
import { openStore } from '#src/store/store.ts';
import { SLOT_MS } from '../support/firings.ts';
import { fillState } from '../support/full-state.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createDatabase } from '../support/postgres-database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The example of the page, and the name of this person. */
const [ID, NAME] = ['1202584131993600042', 'grace-hopper'];
/** What the person wrote. */
const WORDS = 'My cat is called Schrödinger';
const ADA = { platform: 'discord', id: '7', handle: 'ada', displayName: 'Ada' };

const page = readFileSync(join(import.meta.dirname, '../../docs/operating/backup.md'), 'utf8');

const [, statements = ''] = /```sql\n(.*?)```/su.exec(page) ?? [];

test('the statements of the page remove a person from all tables', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'fanfare.sqlite');
  await using store = await openStore({ file, clock: new ManualClock(SLOT_MS) });
  await fillState(store);
  const by: Actor = { name: NAME, via: 'discord', id: ID, role: 'editor' };
  await store.auditLog.start({ id: 'a9', action: 'pause', by, target: 'live' });
  await store.auditLog.end({ id: 'a9', outcome: 'done', before: {}, after: {} });
  await store.lists.edit({ list: 'team' }, by, () => ({ after: { linus: {} } }));
  const said = { id: '1', role: 'user', text: `I am ${NAME}. ${WORDS}`, createdAt: new Date(SLOT_MS) } as const;
  await store.transcripts.append('thread of ada', said, { by: ID });
  await store.questionCounts.count(
    { id: 'q9', person: ID, server: '1', nowMs: SLOT_MS },
    { person: { most: 9, withinMs: 9_000 }, server: { most: 9, withinMs: 9_000 } },
  );
  await store[Symbol.asyncDispose]();
  fillFurther(file);
  const before = readFileSync(file);
  expect([before.includes(ID), before.includes(NAME)]).toEqual([true, true]);

  using database = new DatabaseSync(file);
  database.exec(statements);
  const answers = database.prepare("select distinct result from delivery where result like '%choice%' order by result").all();
  database.close();

  const after = readFileSync(file);
  expect([after.includes(ID), after.includes(NAME), after.includes(WORDS)]).toEqual([false, false, false]);
  expect(answers.map(({ result }) => JSON.parse(String(result)) as unknown)).toEqual([
    { id: 'm1', choice: 'send' },
    { id: 'm2', answers: [{ choice: 'send' }, { choice: 'drop', by: ADA, text: 'no' }] },
  ]);
});

test('PostgreSQL accepts the statements with the changes that the page names', async () => {
  await using postgres = await createDatabase();
  const schema = postgres.newSchema();
  await using store = await openPostgresStore({ url: postgres.url, schema, clock: new ManualClock(SLOT_MS) });
  await fillState(store);
  await using client = openClient({ connectionString: postgres.url, options: `-c search_path=${schema},pg_catalog` });
  await client.connect();
  const answer = { id: 'm1', choice: 'send', by: { platform: 'discord', id: ID }, text: WORDS };
  await client.query("update delivery set result = $1 where state = 'sent'", [JSON.stringify(answer)]);

  const [, instead = ''] = /`(update delivery set result = null [^`]*);`/u.exec(page) ?? [];
  const common = statements.split(';').filter((one) => !/pragma|json_remove|vacuum/u.test(one));
  await client.query([...common, instead].join(';'));

  expect(common.length).toBeGreaterThan(20);
  expect((await client.query("select result from delivery where state = 'sent'")).rows).toEqual([{ result: null }]);
});

function openClient(options: pg.ClientConfig): pg.Client & AsyncDisposable {
  const client = new pg.Client(options);
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Names the person in the tables to which only a running Fanfare writes. */
function fillFurther(file: string): void {
  using database = new DatabaseSync(file);
  const by = { platform: 'discord', id: ID, url: `https://discord.com/users/${ID}`, handle: NAME, displayName: 'Grace' };
  const put = (statement: string, ...values: readonly string[]): void => {
    expect(database.prepare(statement).run(...values).changes).toBeGreaterThan(0);
  };
  for (const [table, column] of [
    ['paused_rule', 'person'],
    ['planned_pause', 'person'],
    ['episode', 'muted_by'],
  ] as const) {
    put(`update ${table} set ${column} = ?`, `${NAME} (Discord)`);
  }
  put('update api_token set created_by = ?', NAME);
  put('update post set by_id = ?, by_name = ?, cancelled_by = ?', ID, NAME, NAME);
  put('update post_draft set owner = ?, body = ?', ID, JSON.stringify({ text: WORDS }));
  put('update received_webhook set item = ?', JSON.stringify({ from_name: NAME, text: WORDS }));
  put('update saved_view set options = ?', JSON.stringify({ member: ID }));
  put('update member_state set body = ?', JSON.stringify({ [ID]: { status: 'idle' } }));
  put('update repeated_request set actor = ?, body = ?', ID, WORDS);
  put("insert into answer_place values (?, 'c9', 'm9', 0)", `7/${ID}/private`);
  put("insert into draft values ('d9', 'c9', ?, ?, 'open', 0, null)", ID, JSON.stringify({ text: WORDS }));
  put(
    'update decision set message = ?, reason = ?, details = ?',
    `${NAME} posted`,
    JSON.stringify({ by: NAME }),
    JSON.stringify({ by: NAME }),
  );
  const noted = JSON.stringify([{ by: `${NAME} (Discord)`, atMs: 1 }]);
  put('update delivery set message = ?, reason = ?, withdrawn = ?, resends = ?', `cancelled by ${NAME}`, noted, noted, noted);
  put("update delivery set result = ? where account = 'x'", JSON.stringify({ id: 'm1', choice: 'send', by, text: WORDS }));
  const answers = [
    { choice: 'send', by, text: WORDS },
    { choice: 'drop', by: ADA, text: 'no' },
  ];
  put("update delivery set result = ? where account = 'mastodon'", JSON.stringify({ id: 'm2', answers }));
  put('update audit set target = ?, before = ?, after = ?', ID, noted, noted);
  put('update list_change set before = ?, after = ?', noted, JSON.stringify({ ada: { member: ID } }));
}
