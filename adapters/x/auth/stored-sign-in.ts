import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** The stored sign-in of one account. */
export const StoredSignIn = z.object({
  accessToken: z.string().min(1),
  /** Valid for one exchange; absent without the scope `offline.access`. */
  refreshToken: z.string().min(1).optional(),
  expiresAt: z.coerce.date(),
  scopes: z.array(z.string()).optional(),
  /** The API that issued the tokens; absent: the configured API. */
  url: z.url().optional(),
  /** The app that received the tokens, with a salted hash of its client secret. */
  app: z.object({ clientId: z.string(), salt: z.string(), hash: z.string() }).optional(),
});
export type StoredSignIn = z.output<typeof StoredSignIn>;

/** The response to a code or a refresh token. */
export const Issued = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.coerce.number().nullish(),
  scope: z.string().nullish(),
});

/** The lifetime of an access token if X does not state it. */
const USUAL_LIFE_S = 2 * 3600;

/** The configured app. */
interface App {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

interface IssuedTo extends App {
  /** The address of the API that issued the tokens. */
  readonly url: string;
  readonly nowMs: number;
  /** The sign-in that the new one replaces. */
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

/** Whether the tokens were issued by this API to this app. They are sent to no other API and by no other app. */
export function isIssuedBy(
  { url: issuerUrl, app }: StoredSignIn,
  { url, clientId }: Pick<App, 'clientId'> & { readonly url: string },
): boolean {
  const isOfApp = app === undefined || clientId === undefined || app.clientId === clientId;
  return isOfApp && (issuerUrl === undefined || normalizedUrl(issuerUrl) === normalizedUrl(url));
}

/** Whether the tokens were issued or renewed with this client secret. */
export function isIssuedFor({ app }: StoredSignIn, clientSecret: string | undefined): boolean {
  return app === undefined || timingSafeEqual(Buffer.from(hashOf(clientSecret, app.salt)), Buffer.from(app.hash.padEnd(43).slice(0, 43)));
}

function hashOf(clientSecret: string | undefined, salt: string): string {
  return createHmac('sha256', Buffer.from(salt, 'base64url'))
    .update(clientSecret ?? '')
    .digest('base64url');
}

/** The address in a form that is equal for equal addresses. */
function normalizedUrl(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
