import type { PersonKind, TokenScope } from '#src/admin/actions/people.ts';
import type { AuditOutcome } from '#src/admin/actions/audit-log.ts';
import type { Role, Via } from '#src/admin/actions/actor.ts';
import {
  ACCOUNT_USAGE_ADDITION,
  ENVIRONMENT_ADDITION,
  FAILED_ATTEMPTS_ADDITION,
  NOTIFIERS_ADDITION,
  SUBSCRIPTIONS_ADDITION,
  OUTAGES_ADDITION,
  PLANNED_PAUSES_ADDITION,
  TOTALS_ADDITION,
  WEBHOOKS_ADDITION,
} from './history-additions.ts';
import { COMMAND_USES_ADDITION, MEMBER_STATES_ADDITION } from './discord-additions.ts';
import { bigint, integer, sequence, table, text, type Addition, type RowsOf, type WithColumns } from './schema/table.ts';

/** The actions of people, and who may act. A released addition never changes; later ones are separate constants. */
export const ACTIONS_ADDITION = {
  tables: {
    /** What people did. */
    audit: table(
      {
        seq: sequence(),
        id: text(),
        at_ms: bigint(),
        action: text(),
        actor: text(),
        via: text<Via>(),
        /** The id of the person or the token at its platform. */
        actor_id: text().optional(),
        /** The address of the request, or the server in Discord. */
        origin: text().optional(),
        /** The id of the rule, the delivery, the account or the version. */
        target: text(),
        outcome: text<AuditOutcome>(),
        /** JSON. */
        before: text().optional(),
        /** JSON. */
        after: text().optional(),
      },
      { unique: ['id'], indexes: { target: { on: 'target, seq' }, action: { on: 'action, seq' }, at: { on: 'at_ms' } } },
    ),
  },
  columns: {
    paused_rule: {
      /** When the rule resumes automatically; null: not before a person resumes it. */
      until_ms: bigint().optional(),
    },
  },
} satisfies Addition;

/** Who may sign in. Secrets are stored as hashes only. */
export const ACCESS_ADDITION = {
  tables: {
    person: table(
      {
        id: text(),
        name: text(),
        kind: text<PersonKind>(),
        role: text<Role>(),
        /** With the parameters and the salt; null for people of Discord. */
        password_hash: text().optional(),
        created_ms: bigint(),
      },
      { key: ['id'], withoutRowId: true },
    ),
    web_session: table(
      {
        /** The hash of the cookie. */
        hash: text(),
        person: text(),
        /** The address from which the person signed in. */
        address: text(),
        created_ms: bigint(),
        seen_ms: bigint(),
        expires_ms: bigint(),
      },
      { key: ['hash'], withoutRowId: true, indexes: { person: { on: 'person' }, expires: { on: 'expires_ms' } } },
    ),
    api_token: table(
      {
        /** The hash of the text. */
        hash: text(),
        id: text(),
        name: text(),
        scope: text<TokenScope>(),
        /** The name of the person who created it. */
        created_by: text(),
        created_ms: bigint(),
        expires_ms: bigint().optional(),
        used_ms: bigint().optional(),
        revoked_ms: bigint().optional(),
      },
      { key: ['hash'], withoutRowId: true, unique: ['id'] },
    ),
    sign_in_attempt: table(
      {
        /** The hash of a name or of an address. */
        key: text(),
        /** When all attempts are available again. */
        full_ms: bigint(),
      },
      { key: ['key'], withoutRowId: true, indexes: { full: { on: 'full_ms' } } },
    ),
    /** At most one row. */
    first_run_token: table({ id: text(), hash: text(), expires_ms: bigint() }, { key: ['id'], withoutRowId: true }),
  },
} satisfies Addition;

/** The requests that their sender may repeat. */
export const REQUESTS_ADDITION = {
  tables: {
    repeated_request: table(
      {
        actor: text(),
        key: text(),
        at_ms: bigint(),
        /** A hash of what was requested. */
        fingerprint: text(),
        /** The answer; null while the request runs. */
        status: integer().optional(),
        body: text().optional(),
      },
      { key: ['actor', 'key'], indexes: { at: { on: 'at_ms' } } },
    ),
  },
} satisfies Addition;

/** The item, the rule text and the words of each delivery, and the indexes of filtered lists. */
export const DELIVERY_LIST_ADDITION = {
  columns: {
    delivery: {
      /** The key of the item. */
      item: text().optional(),
      item_name: text().optional(),
      /** The address of the picture of the item. */
      item_picture: text().optional(),
      /** The hash of the text of the rule file. */
      text_version: text().optional(),
      /** The different words of the rendered texts, with spaces between them. */
      words: text().optional(),
    },
  },
  indexes: {
    delivery: {
      item: { on: 'item, seq', where: 'item is not null' },
      account: { on: 'account, seq' },
      created: { on: 'created_ms, seq' },
    },
  },
} satisfies Addition;

/** The Discord servers of the bot, and the messages to them that Fanfare keeps up to date. */
export const SERVERS_ADDITION = {
  tables: {
    discord_server: table(
      {
        id: text(),
        name: text(),
        /** JSON: what its administrators chose. */
        body: text(),
        joined_ms: bigint(),
        /** When it removed the bot. */
        left_ms: bigint().optional(),
      },
      { key: ['id'], withoutRowId: true, indexes: { left: { on: 'left_ms', where: 'left_ms is not null' } } },
    ),
    discord_notice: table(
      {
        server: text(),
        /** The topic of the message. */
        key: text(),
        channel: text(),
        /** The id of the message; null while it is being sent. */
        message: text().optional(),
        shown: text(),
        at_ms: bigint(),
        /** When a process last began to send it. */
        begun_ms: bigint(),
      },
      { key: ['server', 'key'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** Lists that people edit, and the log of their changes. `server` is empty for lists of the installation. */
export const LISTS_ADDITION = {
  tables: {
    list: table({ name: text(), server: text(), created_ms: bigint() }, { key: ['name', 'server'], withoutRowId: true }),
    list_entry: table(
      {
        list: text(),
        server: text(),
        id: text(),
        /** JSON. */
        fields: text(),
      },
      { key: ['list', 'server', 'id'], withoutRowId: true },
    ),
    list_change: table(
      {
        seq: sequence(),
        id: text(),
        at_ms: bigint(),
        list: text(),
        server: text(),
        actor: text(),
        via: text<Via>(),
        /** The id of the person or the token at its platform. */
        actor_id: text().optional(),
        /** JSON: the fields of the changed entries by id, null for absent ones. */
        before: text(),
        after: text(),
        /** The id of the change that this one undoes. */
        undoes: text().optional(),
      },
      {
        unique: ['id'],
        indexes: { list: { on: 'list, server, seq' }, undoes: { on: 'undoes', where: 'undoes is not null' }, at: { on: 'at_ms' } },
      },
    ),
  },
} satisfies Addition;

/** The mutes of episodes. */
export const MUTES_ADDITION = {
  columns: {
    episode: {
      /** The person who muted the item until the end of the episode. */
      muted_by: text().optional(),
      muted_ms: bigint().optional(),
    },
  },
} satisfies Addition;

/** The people of the sources of list files. */
export const LIST_SOURCES_ADDITION = {
  tables: {
    list_source: table(
      {
        /** A hash of the operation, the account and the parameters. */
        key: text(),
        /** JSON: the people of the last whole read, with their fields. */
        people: text(),
        read_ms: bigint().optional(),
        /** When it is read next. */
        due_ms: bigint(),
        /** JSON: why the last read failed. */
        problem: text().optional(),
      },
      { key: ['key'], withoutRowId: true },
    ),
  },
} satisfies Addition;

/** All tables that versions after 0.1.0 added. */
export const ADDED_TABLES = {
  ...ACTIONS_ADDITION.tables,
  ...ACCESS_ADDITION.tables,
  ...REQUESTS_ADDITION.tables,
  ...SERVERS_ADDITION.tables,
  ...LISTS_ADDITION.tables,
  ...LIST_SOURCES_ADDITION.tables,
  ...COMMAND_USES_ADDITION.tables,
  ...MEMBER_STATES_ADDITION.tables,
  ...OUTAGES_ADDITION.tables,
  ...TOTALS_ADDITION.tables,
  ...WEBHOOKS_ADDITION.tables,
  ...PLANNED_PAUSES_ADDITION.tables,
  ...FAILED_ATTEMPTS_ADDITION.tables,
  ...ACCOUNT_USAGE_ADDITION.tables,
  ...NOTIFIERS_ADDITION.tables,
  ...SUBSCRIPTIONS_ADDITION.tables,
  ...ENVIRONMENT_ADDITION.tables,
};

/** The columns that versions after 0.1.0 added, by table. */
export const ADDED_COLUMNS: NonNullable<Addition['columns']> = {
  paused_rule: { ...ACTIONS_ADDITION.columns.paused_rule, ...PLANNED_PAUSES_ADDITION.columns.paused_rule },
  ...DELIVERY_LIST_ADDITION.columns,
  ...MUTES_ADDITION.columns,
};

/** The rows of the tables of version 0.1.0, with all additions. */
export type WithAdditions<Rows> = WithColumns<
  Rows,
  typeof ACTIONS_ADDITION.columns &
    typeof DELIVERY_LIST_ADDITION.columns &
    typeof MUTES_ADDITION.columns &
    typeof PLANNED_PAUSES_ADDITION.columns
> &
  RowsOf<typeof ADDED_TABLES>;
