import { z } from 'zod';
import { isDid, toHandle } from '../at-uri.ts';

/** Who is signed in, where, and the tokens for it: what is kept across starts. */
export const Session = z.object({
  did: z.string().refine(isDid),
  handle: z.string().min(1),
  /** The server that has the account. */
  pds: z.url({ protocol: /^https?$/ }),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
});
export type Session = z.output<typeof Session>;

/** Whether a kept session is of the account that `identifier` names: a handle, a DID or an e-mail address. */
export function isOf({ did, handle }: Session, identifier: string): boolean {
  if (isDid(identifier)) return did === identifier;
  const wanted = toHandle(identifier);
  return wanted === undefined || wanted === handle;
}
