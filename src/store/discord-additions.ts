import type { MemberStateKind } from '#src/clients/chat/chat.ts';
import { bigint, table, text, type Addition } from './schema/table.ts';

/** The uses of slash commands that wait for their answer. */
export const COMMAND_USES_ADDITION = {
  tables: {
    command_use: table(
      {
        /** The id of the interaction. */
        id: text(),
        application: text(),
        /** A secret that answers this use only. */
        token: text(),
        locale: text(),
        /** When Discord stops to accept an answer. */
        until_ms: bigint(),
      },
      { key: ['id'], withoutRowId: true, indexes: { until: { on: 'until_ms' } } },
    ),
  },
} satisfies Addition;

/** The states of members that Discord shows over the gateway only. */
export const MEMBER_STATES_ADDITION = {
  tables: {
    member_state: table(
      {
        server: text(),
        kind: text<MemberStateKind>(),
        /** JSON: the states by the ids of the members. */
        body: text(),
        /** Until when the states are complete, without a further write. */
        until_ms: bigint(),
      },
      { key: ['server', 'kind'], withoutRowId: true },
    ),
  },
} satisfies Addition;
