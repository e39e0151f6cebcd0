import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { ConfigError } from '#src/errors.ts';
import { isDraftedName, isPublishableName } from '#src/rules/file-names.ts';
import {
  DraftDecided,
  publishedHash,
  versionHash,
  type Publication,
  type PublishedFile,
  type RuleVersion,
  type RuleVersions,
} from '#src/engine/rule-sets/rule-versions.ts';
import { chunks } from '#src/store/columns.ts';
import type { ProcessLock } from '#src/store/process-lock.ts';
import type { Tables } from '#src/store/tables.ts';
import { inTransaction } from '#src/store/transaction.ts';
import { NOW_MS } from './now.ts';
import type { RowsOf } from '../schema/table.ts';
import { asShared, type SHARED_TABLES, type SharedTables } from './shared-tables.ts';

/** The number of stored versions. */
const STORED = 50;
/** As a message of `notifications.ts`. */
const NOTIFICATION = JSON.stringify({ from: 'publisher', messages: [{ kind: 'rules' }] });

export interface RuleVersionsOptions {
  readonly db: Kysely<Tables>;
  /** The lock of the process that publishes its folder. */
  readonly folderLock: Pick<ProcessLock, 'claim'>;
  /** The schema. The processes listen on the channel with its name. */
  readonly schema: string;
}

/** A file of a version, without its text. */
interface HashedFile {
  readonly file: string;
  readonly hash: string;
}

/** The rule versions in PostgreSQL. */
export function createRuleVersions({ db: plain, schema, folderLock }: RuleVersionsOptions): RuleVersions {
  const db = asShared(plain);

  return {
    inForce: () => newest(db),

    async list() {
      return (await db.selectFrom('rule_version').selectAll().orderBy('number', 'desc').execute()).map(toVersion);
    },

    async files(number) {
      const rows = await filesOf(db, number).execute();
      return rows.length === 0 ? undefined : rows.flatMap(toFile);
    },

    async approved(number) {
      return (await filesOf(db, number).where('approved_file.file', 'is not', null).execute()).flatMap(toFile);
    },

    async text(number, file) {
      const row = await db
        .selectFrom('rule_file')
        .innerJoin('rule_text', 'rule_text.hash', 'rule_file.hash')
        .where('file', '=', file)
        .where('since', '<=', number)
        .where((eb) => eb.or([eb('until', '>', number), eb('until', 'is', null)]))
        .select('source')
        .executeTakeFirst();
      return row?.source;
    },

    publish: (publication) =>
      inTransaction(plain, async (trx) => {
        const published = await publishIn(trx.withTables<RowsOf<typeof SHARED_TABLES>>(), schema, publication);
        if (published.kind !== 'overtaken') await approveDraft(trx, publication);
        return published;
      }),

    claimFolder: (options) => folderLock.claim(options),
  };
}

/** Approves the draft of a publication. Throws if a person decided about it in the meantime, so that nothing is published. */
async function approveDraft(trx: Transaction<Tables>, { draft }: Publication): Promise<void> {
  if (!draft) return;
  const approved = { state: 'approved', decided_by: draft.by } as const;
  const { numUpdatedRows } = await trx
    .updateTable('draft')
    .set(approved)
    .where('id', '=', draft.id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new DraftDecided(`a person decided about the draft ${draft.id}`);
}

/** Publishes rules, and notifies the processes that listen on the channel `schema`. */
async function publishIn(trx: Transaction<SharedTables>, schema: string, { files, by, note, repeats, approves, after }: Publication) {
  for (const { file, isApproved = false } of files) requireName(file, isApproved);
  // Publications run one after the other. Readers do not wait.
  await sql`lock table rule_version in share row exclusive mode`.execute(trx);
  const last = await newest(trx);
  const texts = new Map(files.map(({ source }) => [publishedHash(source), source]));
  const wanted = files.map(({ file, source }): HashedFile => ({ file, hash: publishedHash(source) }));
  const { added, changed, deleted } = differences(await filesInForce(trx), wanted);
  const isSame = added.length + changed.length + deleted.length === 0;
  if (!isSame && last && last.number !== after) return { kind: 'overtaken', version: last } as const;
  await noteApproved(trx, files);
  if (isSame && last) return { kind: 'same', version: last } as const;

  const number = (last?.number ?? 0) + 1;
  await addTexts(trx, texts, new Set([...added, ...changed].map((file) => file.hash)));
  for (const some of chunks([...changed, ...deleted].map(({ file }) => file)))
    await trx.updateTable('rule_file').set({ until: number }).where('file', 'in', some).where('until', 'is', null).execute();
  for (const some of chunks([...added, ...changed]))
    await trx
      .insertInto('rule_file')
      .values(some.map((file) => ({ ...file, since: number })))
      .execute();
  const row = {
    number,
    hash: versionHash(files),
    published_ms: NOW_MS,
    publisher: by,
    note: note ?? null,
    repeats: repeats ?? null,
    approves: approves ?? null,
    files: files.length,
    added: added.length,
    changed: changed.length,
    deleted: deleted.length,
  };
  const published = await trx.insertInto('rule_version').values(row).returningAll().executeTakeFirstOrThrow();
  await deleteOld(trx, number - STORED);
  // PostgreSQL notifies the other processes after the commit.
  await sql`select pg_notify(${schema}, ${NOTIFICATION})`.execute(trx);
  return { kind: 'published', version: toVersion(published) } as const;
}

/** The files of a version. A version without files has one row without a file. */
function filesOf(db: Kysely<SharedTables>, number: number) {
  return db
    .selectFrom('rule_version')
    .leftJoin('rule_file', (join) =>
      join.on(sql<boolean>`rule_file.since <= rule_version.number and coalesce(rule_file.until > rule_version.number, true)`),
    )
    .leftJoin('rule_text', 'rule_text.hash', 'rule_file.hash')
    .leftJoin('approved_file', 'approved_file.file', 'rule_file.file')
    .where('number', '=', number)
    .select(['rule_file.file', 'rule_text.source', 'approved_file.file as approved'])
    .orderBy('rule_file.file');
}

/** Rows of the database become files, so no name may lead out of the rules folder. */
function requireName(file: string, isApproved: boolean): void {
  if (isApproved ? isDraftedName(file) : isPublishableName(file)) return;
  throw new ConfigError('a published rule file cannot have this name', {
    file: JSON.stringify(file),
    hint: 'publish the rules folder: npx fanfare rules push',
  });
}

async function newest(db: Kysely<SharedTables>): Promise<RuleVersion | undefined> {
  const row = await db.selectFrom('rule_version').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst();
  return row && toVersion(row);
}

/** Notes the approved files. A file that a rules folder has is no longer one. */
async function noteApproved(trx: Transaction<SharedTables>, files: readonly PublishedFile[]): Promise<void> {
  const noted = new Set((await trx.selectFrom('approved_file').select('file').execute()).map(({ file }) => file));
  const fresh = files.filter(({ file, isApproved = false }) => isApproved && !noted.has(file)).map(({ file }) => ({ file }));
  const over = files.filter(({ file, isApproved = false }) => !isApproved && noted.has(file)).map(({ file }) => file);
  if (fresh.length > 0) await trx.insertInto('approved_file').values(fresh).execute();
  for (const some of chunks(over)) await trx.deleteFrom('approved_file').where('file', 'in', some).execute();
}

async function filesInForce(trx: Transaction<SharedTables>): Promise<ReadonlyMap<string, HashedFile>> {
  const rows = await trx.selectFrom('rule_file').select(['file', 'hash']).where('until', 'is', null).execute();
  return new Map(rows.map((row) => [row.file, row]));
}

function differences(before: ReadonlyMap<string, HashedFile>, after: readonly HashedFile[]) {
  const names = new Set(after.map(({ file }) => file));
  return {
    added: after.filter(({ file }) => !before.has(file)),
    changed: after.filter((one) => before.has(one.file) && before.get(one.file)?.hash !== one.hash),
    deleted: [...before.values()].filter(({ file }) => !names.has(file)),
  };
}

async function addTexts(trx: Transaction<SharedTables>, texts: ReadonlyMap<string, string>, needed: ReadonlySet<string>): Promise<void> {
  const rows = [...texts].filter(([key]) => needed.has(key)).map(([key, source]) => ({ hash: key, source }));
  for (const some of chunks(rows))
    await trx
      .insertInto('rule_text')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Deletes the versions up to `number`, with the texts that no later version uses. */
async function deleteOld(trx: Transaction<SharedTables>, number: number): Promise<void> {
  if (number < 1) return;
  await trx.deleteFrom('rule_version').where('number', '<=', number).execute();
  const gone = await trx
    .deleteFrom('rule_file')
    .where('until', '<=', number + 1)
    .returning('hash')
    .execute();
  for (const some of chunks(gone.map((row) => row.hash)))
    await trx
      .deleteFrom('rule_text')
      .where('hash', 'in', some)
      .where((eb) => eb.not(eb.exists(eb.selectFrom('rule_file').select('file').whereRef('rule_file.hash', '=', 'rule_text.hash'))))
      .execute();
}

interface FileRow {
  readonly file: string | null;
  readonly source: string | null;
  readonly approved: string | null;
}

function toFile({ file, source, approved }: FileRow): readonly PublishedFile[] {
  return file !== null && source !== null ? [{ file, source, ...(approved !== null && { isApproved: true }) }] : [];
}

function toVersion({ publisher, published_ms, note, repeats, approves, ...row }: Selectable<SharedTables['rule_version']>): RuleVersion {
  return {
    ...row,
    publishedAt: new Date(published_ms),
    by: publisher,
    note: note ?? undefined,
    repeats: repeats ?? undefined,
    approves: approves ?? undefined,
  };
}
