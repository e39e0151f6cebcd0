import { z } from 'zod';

/** The sign-in of one account, as it is kept. */
export const Kept = z.object({
  accessToken: z.string().min(1),
  /** Good for one exchange; absent where the account was not asked for `offline.access`. */
  refreshToken: z.string().min(1).optional(),
  expiresAt: z.coerce.date(),
  scopes: z.array(z.string()).optional(),
  /** The address that gave it out; what was kept without is taken for this one's. */
  url: z.url().optional(),
});
export type Kept = z.output<typeof Kept>;

/** What X gives out for a code or a refresh token. */
export const Issued = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.coerce.number().nullish(),
  scope: z.string().nullish(),
});

/** How long an access token is good where X does not say. */
const USUAL_LIFE_S = 2 * 3600;

interface Giving {
  /** The address of the API that gave it out. */
  readonly url: string;
  readonly nowMs: number;
  /** What it takes the place of. */
  readonly before?: Kept | undefined;
}

/** What was given out, as it is kept; a refresh token that did not come with it stays the one before. */
export function toKept({ access_token, refresh_token, expires_in, scope }: z.output<typeof Issued>, { url, nowMs, before }: Giving): Kept {
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? before?.refreshToken,
    expiresAt: new Date(nowMs + (expires_in ?? USUAL_LIFE_S) * 1000),
    scopes: scope?.split(/[\s,]+/).filter((name) => name !== '') ?? before?.scopes,
    url: plainAddress(url),
  };
}

/** Whether it may be sent to the address: to no other than gave it out. */
export function isGivenBy({ url: given }: Kept, url: string): boolean {
  return given === undefined || plainAddress(given) === plainAddress(url);
}

/** An address as all write it who mean the same. */
function plainAddress(url: string): string {
  return new URL(url).href.replace(/\/+$/, '');
}
