import { userInfo } from 'node:os';
import type { Actor } from '#src/admin/actions/actor.ts';

/** The operator, from the user account of the machine, who may do everything. Containers may have no user account. */
export function operator(): Actor {
  const actor = { via: 'cli', role: 'admin' } as const;
  try {
    return { name: userInfo().username, ...actor };
  } catch {
    return { name: 'unknown user', ...actor };
  }
}
