import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '#src/operation/json.ts';

/** It signs for a sandbox only, and the same at every start: what was given out stays valid. */
const KEY = 'the tokens of a sandbox are worth nothing elsewhere';

const Claims = z.looseObject({
  scope: z.string().optional(),
  sub: z.string().optional(),
  iss: z.string().optional(),
  aud: z.string().optional(),
  lxm: z.string().optional(),
  jti: z.string().optional(),
  iat: z.number(),
  exp: z.number(),
});

/** What a token says. Instants are seconds. */
export interface Claims extends Readonly<z.output<typeof Claims>> {}

/** A signed token. `typ` tells its kind, as `at+jwt`. */
export function signToken(claims: JsonObject & { readonly iat: number; readonly exp: number }, typ: string): string {
  const content = [{ typ, alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${content}.${signatureOf(content)}`;
}

/** What a token says, if it is one of ours and nobody changed it. Whether it is still valid is another question. */
export function readToken(token: string): Claims | undefined {
  const at = token.lastIndexOf('.');
  const [content, signature] = [token.slice(0, at), token.slice(at + 1)];
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(content))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString()));
  return claims.success ? claims.data : undefined;
}

function signatureOf(content: string): string {
  return createHmac('sha256', KEY).update(content).digest('base64url');
}
