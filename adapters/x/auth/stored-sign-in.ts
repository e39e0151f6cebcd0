import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The stored sign-in of one account. */
export const StoredSignIn = z.object({
  accessToken: z.string().min(1),
  /** Good for one exchange; absent where the account was not asked for `offline.access`. */
  refreshToken: z.string().min(1).optional(),
  expiresAt: z.coerce.date(),
  scopes: z.array(z.string()).optional(),
  /** The API that issued the tokens; absent: the configured API. */
  url: z.url().optional(),
  /** The app that it was given to, and a keyed hash of the secret of that app. */
  app: z.object({ clientId: z.string(), salt: z.string(), hash: z.string() }).optional(),
});
export type StoredSignIn = z.output<typeof StoredSignIn>;

/** What X gives out for a code or a refresh token. */
export const Issued = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.coerce.number().nullish(),
  scope: z.string().nullish(),
});

/** How long an access token is good where X does not say. */
const USUAL_LIFE_S = 2 * 3600;

/** The configured app. */
interface App {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

interface IssuedTo extends App {
  /** The address of the API that gave it out. */
  readonly url: string;
  readonly nowMs: number;
  /** What it takes the place of. */
  readonly before?: StoredSignIn | undefined;
}

/** The issued tokens in stored form. Without a new refresh token, the previous one stays. */
export function toStored(
  { access_token, refresh_token, expires_in, scope }: z.output<typeof Issued>,
  { url, clientId, clientSecret, nowMs, before }: IssuedTo,
): StoredSignIn {
  const salt = randomBytes(16).toString('base64url');
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken,
    expiresAt: new Date(nowMs + (expires_in ?? USUAL_LIFE_S) * 1000),
    scopes: scope?.split(/[\s,]+/).filter((name) => name !== '') ?? before?.scopes,
    url: normalizedUrl(url),
    ...(clientId !== undefined && { app: { clientId, salt, hash: hashOf(clientSecret, salt) } }),
  };
}

/** Whether an app may send it to an address: no other address than gave it out, and no other app than got it. */
export function isIssuedBy(
  { url: issuerUrl, app }: StoredSignIn,
  { url, clientId }: Pick<App, 'clientId'> & { readonly url: string },
): boolean {
  const isOfApp = app === undefined || clientId === undefined || app.clientId === clientId;
  return isOfApp && (issuerUrl === undefined || normalizedUrl(issuerUrl) === normalizedUrl(url));
}

/** Whether X gave it out, or renewed it, for this secret of the app. */
export function isIssuedFor({ app }: StoredSignIn, clientSecret: string | undefined): boolean {
  return app === undefined || timingSafeEqual(Buffer.from(hashOf(clientSecret, app.salt)), Buffer.from(app.hash.padEnd(43).slice(0, 43)));
}

function hashOf(clientSecret: string | undefined, salt: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(clientSecret ?? '')
    .digest('base64url');
}

/** An address as all write it who mean the same. */
function normalizedUrl(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
