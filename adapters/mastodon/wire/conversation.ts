import { z } from 'zod';
import { AccountRow } from './account.ts';
import { flag, id, rowsOf } from './parts.ts';
import { StatusRow } from './status.ts';

/** A thread of direct statuses, by those who are in it beside the signed-in account. */
export const ConversationRow = z.object({
  id,
  unread: flag,
  accounts: rowsOf(AccountRow),
  last_status: StatusRow.nullish().catch(undefined),
});
export type ConversationRow = z.output<typeof ConversationRow>;
