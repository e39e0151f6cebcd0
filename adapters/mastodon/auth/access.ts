import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { type AccountTokens, tokensInMemory } from '#src/http/secrets/account-tokens.ts';
import { PLATFORM } from '../wire/parts.ts';

/** The stored sign-in of an account. */
const StoredToken = z.object({
  accessToken: z.string().min(1),
  /** The server that issued the token; absent: this server. */
  url: z.url().optional(),
});

interface AccessOptions {
  readonly token: string | undefined;
  readonly tokens: AccountTokens | undefined;
  readonly account: string;
  /** The address of the server. Tokens of another server are never sent to it. */
  readonly url: string;
}

/** The token of one account. */
export interface Access {
  /** The token; throws `unauthorized` if there is none. */
  token(): Promise<string>;
  /** Whether a token other than the refused one exists. */
  hasOther(refused: string): Promise<boolean>;
}

export function accessOf({ token, tokens, account, url }: AccessOptions): Access {
  const stored = token === undefined ? tokens : tokensInMemory({ accessToken: token });
  let current: string | undefined;

  async function load(): Promise<string | undefined> {
    const { data } = StoredToken.safeParse(await stored?.load());
    current = data?.url === undefined || hostOf(data.url) === hostOf(url) ? data?.accessToken : undefined;
    return current;
  }

  return {
    async token() {
      // A new sign-in replaces the token at once, because the old one may never expire.
      const known = current === undefined || (await stored?.areOthers()) === true ? await load() : current;
      if (known !== undefined) return known;
      const message = `No account is signed in to ${PLATFORM} as ${account}: run \`npx fanfare auth ${account}\`, or set a token.`;
      throw new PlatformError(message, { platform: PLATFORM, fault: 'unauthorized' });
    },

    async hasOther(refused) {
      const found = await load();
      return found !== undefined && found !== refused;
    },
  };
}

function hostOf(url: string): string | undefined {
  return URL.parse(url)?.host;
}
