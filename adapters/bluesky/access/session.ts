import { z } from 'zod';
import { isDid, toHandle } from '../at-uri.ts';

/** Who is signed in, where, and the tokens for it: what is kept across starts. */
export const Session = z.object({
  did: z.string().refine(isDid),
  handle: z.string().min(1),
  /** With which it was opened, where that was no name of the account. */
  email: z.string().optional(),
  /** The server that has the account. */
  pds: z.url({ protocol: /^https?$/ }),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  /** The configured address, and a keyed hash of the app password, that it was opened with. */
  bound: z.object({ url: z.string(), salt: z.string().optional(), hash: z.string().optional() }).optional(),
});
export type Session = z.output<typeof Session>;

/** Whether a kept session is of the account that `identifier` names: a handle, a DID or an e-mail address. */
export function isOf({ did, handle, email }: Session, identifier: string): boolean {
  if (isDid(identifier)) return did === identifier;
  const wanted = toHandle(identifier);
  // Whose an address is only the server knows, who said so when the session was opened.
  return wanted === undefined ? email === emailIn(identifier) : wanted === handle;
}

/** An identifier that is neither a handle nor a DID, as servers compare it; undefined for those. */
export function emailIn(identifier: string): string | undefined {
  return isDid(identifier) || toHandle(identifier) !== undefined ? undefined : identifier.toLowerCase();
}
