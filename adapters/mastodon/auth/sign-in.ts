import { z } from 'zod';
import { type Clock, systemClock } from '#src/clock.ts';
import { PlatformError } from '#src/errors.ts';
import { httpClient } from '#src/http/client.ts';
import { type BrowserSignIn, newProof, Proof, proofKey, type Scope } from '#src/http/secrets/sign-in.ts';
import { isFault } from '#src/http/errors.ts';

const PLATFORM = 'mastodon';

/** The scopes that every server knows. */
const SCOPES: readonly Scope[] = [
  { name: 'read', why: 'to read posts, people, lists and notifications, and to find its own posts after a crash' },
  { name: 'write', why: 'to post, with pictures and polls, to schedule, boost and delete, and to edit lists and bookmarks' },
];
const SCOPE = SCOPES.map(({ name }) => name).join(' ');

const App = z.object({ client_id: z.string().min(1), client_secret: z.string().min(1) });
/** What a sign-in keeps until its answer. */
const Kept = Proof.extend({ client_id: z.string(), client_secret: z.string(), redirect_uri: z.string() });
const Issued = z.object({ access_token: z.string().min(1), scope: z.string().nullish() });

export interface MastodonSignInOptions {
  /** The server. */
  readonly url: string;
  readonly clock?: Clock | undefined;
}

/** The sign-in of an account by OAuth 2.0 with a proof key. It registers an application on the server first. */
export function signInToMastodon({ url, clock = systemClock }: MastodonSignInOptions): BrowserSignIn {
  return {
    scopes: SCOPES,
    async begin(redirectUri, beginSignal) {
      const app = await post('/api/v1/apps', {
        form: { client_name: 'Fanfare', redirect_uris: redirectUri, scopes: SCOPE },
        answer: App,
        signal: beginSignal,
      }).catch(explainServer(url));
      const secrets = newProof();
      const proof = proofKey(PLATFORM, secrets);
      const client = { client_id: app.client_id, redirect_uri: redirectUri };
      const page = new URL(`${url}/oauth/authorize`);
      page.search = new URLSearchParams({
        ...client,
        scope: SCOPE,
        // Servers before 4.3 ignore proof keys.
        ...proof.asked,
      }).toString();

      return {
        url: page.href,
        state: proof.asked.state,
        kept: { ...secrets, ...client, client_secret: app.client_secret },
      };
    },

    async finish(answer, kept, signal) {
      const { state, verifier, ...client } = Kept.parse(kept);
      const form = { ...client, ...proofKey(PLATFORM, { state, verifier }).exchange(answer) };
      const issued = await post('/oauth/token', { form, answer: Issued, signal }).catch(noCode);
      const scopes = issued.scope?.split(/\s+/u) ?? SCOPES.map(({ name }) => name);
      return { tokens: { accessToken: issued.access_token, scopes, url }, scopes };
    },
  };

  async function post<T>(
    path: string,
    {
      form,
      answer,
      signal,
    }: { readonly form: Readonly<Record<string, string>>; readonly answer: z.ZodType<T>; readonly signal: AbortSignal | undefined },
  ): Promise<T> {
    await using http = httpClient({ platform: PLATFORM, baseUrl: url, clock });
    const response = await http.request({ method: 'POST', path, form, signal });
    return response.json(answer);
  }
}

/** Explains a response that no Mastodon server sends: the address may be wrong. */
function explainServer(url: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PlatformError)) throw error;
    const isThere =
      error.fault !== 'unreachable' && error.fault !== 'unavailable' && error.fault !== 'rateLimited' && error.fault !== 'unanswered';
    if (!isThere) throw error;
    const message = `mastodon: ${new URL(url).host} is not a Mastodon server: check its address.`;
    throw new PlatformError(message, { platform: PLATFORM, fault: error.fault, status: error.status, cause: error });
  };
}

function noCode(error: unknown): never {
  if (!isFault(error, 'rejected', 'unauthorized')) throw error;
  const message = 'mastodon: the server does not accept this code: a code is valid once, for a short time. Run the command again.';
  throw new PlatformError(message, { platform: PLATFORM, fault: error.fault, status: error.status, cause: error });
}
