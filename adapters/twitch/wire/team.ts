import { z } from 'zod';
import { rowsOf } from './rows.ts';

/** A team with the ids of its members. */
const TeamRow = z
  .object({ id: z.string(), users: z.array(z.object({ user_id: z.string() })) })
  .transform(({ users }) => ({ members: users.map((user) => user.user_id) }));

export const TeamRows = rowsOf(TeamRow);
