import { z } from 'zod';
import { type Clock, systemClock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { newProof, Proof, proofKey, type BrowserSignIn, type Scope } from '#src/http/secrets/sign-in.ts';
import { isFault } from '#src/http/errors.ts';
import { Issued, toStored } from './stored-sign-in.ts';
import { basicAuthorization } from '#src/http/request-parts.ts';

/** What a sign-in keeps until its answer. */
const Kept = Proof.extend({ redirectUri: z.string() });

const OFFICIAL = 'https://api.x.com';
const PLATFORM = 'x';

/** The scopes that every plan includes. Writing follows and likes needs an enterprise plan. */
const SCOPES: readonly Scope[] = [
  { name: 'tweet.read', why: 'to read posts, and to find its own posts after a crash' },
  { name: 'tweet.write', why: 'to post, repost and delete' },
  { name: 'users.read', why: 'to look people up' },
  { name: 'media.write', why: 'to post pictures and videos' },
  { name: 'offline.access', why: 'to stay signed in for longer than two hours' },
  { name: 'follows.read', why: 'to read followers' },
  { name: 'like.read', why: 'to read likes' },
  { name: 'list.read', why: 'to read lists' },
  { name: 'list.write', why: 'to create and edit lists' },
  { name: 'bookmark.read', why: 'to read bookmarks' },
  { name: 'bookmark.write', why: 'to add and remove bookmarks' },
  { name: 'block.read', why: 'to read blocked accounts' },
  { name: 'dm.read', why: 'to read messages' },
  { name: 'dm.write', why: 'to send messages' },
];

export interface XSignInOptions {
  readonly clientId: string;
  /** The client secret of a confidential app; public apps have none. */
  readonly clientSecret?: string | undefined;
  readonly url?: string | undefined;
  readonly clock?: Clock | undefined;
}

/** The sign-in of an account by OAuth 2.0 with a proof key. */
export function signInToX({ clientId, clientSecret, url = OFFICIAL, clock = systemClock }: XSignInOptions): BrowserSignIn {
  const authorizeUrl = url === OFFICIAL ? 'https://x.com/i/oauth2/authorize' : `${url}/i/oauth2/authorize`;
  return {
    scopes: SCOPES,
    async begin(redirectUri) {
      const secrets = newProof();
      const proof = proofKey(PLATFORM, secrets);
      const client = { client_id: clientId, redirect_uri: redirectUri };
      const page = new URL(authorizeUrl);
      page.search = new URLSearchParams({ ...client, scope: SCOPES.map(({ name }) => name).join(' '), ...proof.asked }).toString();

      return {
        url: page.href,
        state: proof.asked.state,
        kept: { ...secrets, redirectUri },
      };
    },

    async finish(answer, kept, signal) {
      const { redirectUri, ...secrets } = Kept.parse(kept);
      const form = { client_id: clientId, redirect_uri: redirectUri, ...proofKey(PLATFORM, secrets).exchange(answer) };
      await using http = httpClient({ platform: PLATFORM, baseUrl: url, clock, refusesInJson: true });
      const response = await http
        .request({
          method: 'POST',
          path: '/2/oauth2/token',
          form,
          headers: clientSecret === undefined ? {} : { authorization: basicAuthorization(clientId, clientSecret) },
          signal,
        })
        .catch(explainRefusal);
      const stored = toStored(response.json(Issued), { url, clientId, clientSecret, nowMs: clock.nowMs() });
      const scopes = stored.scopes ?? SCOPES.map(({ name }) => name);
      return { tokens: { ...stored, expiresAt: stored.expiresAt.toISOString() }, scopes };
    },
  };
}

/** Explains a refused code, because X gives no reason. */
function explainRefusal(error: unknown): never {
  if (!isFault(error, 'rejected', 'unauthorized')) throw error;
  const message =
    error.fault === 'rejected'
      ? 'x: X does not accept this code: a code is valid once, for 30 seconds. Run the command again.'
      : 'x: X does not know this app: check its client id and its client secret. A Native App has no client secret.';
  throw new PlatformError(message, { platform: PLATFORM, fault: error.fault, status: error.status, cause: error });
}
