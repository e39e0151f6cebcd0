import { z } from 'zod';

/** The stored sign-in of a channel. */
export const StoredChannel = z.object({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  expiresAt: z.coerce.date(),
  scopes: z.array(z.string()),
  userId: z.string().min(1),
  login: z.string(),
  /** The app that received the tokens, and the server that issued them. */
  clientId: z.string(),
  authUrl: z.string(),
});
export type StoredChannel = z.output<typeof StoredChannel>;

/** The usual lifetime of an access token. */
const USUAL_LIFE_S = 4 * 3600;

/**
 * Tokens of Twitch, for a code or a refresh token.
 *
 * The answers at https://dev.twitch.tv/docs/authentication/refresh-tokens/ have no lifetime, or a text with the permissions.
 */
export const Issued = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  expires_in: z.coerce.number().default(USUAL_LIFE_S),
  scope: z.union([z.array(z.string()), z.string().transform((names) => names.split(' '))]).nullish(),
});

/** The user of a token. */
export const Validated = z.object({ login: z.string(), user_id: z.string().min(1), scopes: z.array(z.string()).nullish() });
