import { z } from 'zod';
import { PlatformError } from '#src/errors.ts';
import { tokensInMemory, type KeptTokens } from '#src/secrets/kept-tokens.ts';
import { PLATFORM } from './wire/parts.ts';

/** What is kept of a sign-in. */
const Kept = z.object({
  accessToken: z.string().min(1),
  /** The server that gave it out; what was kept without is taken for this one's. */
  url: z.url().optional(),
});

export interface AccessOptions {
  readonly token: string | undefined;
  readonly tokens: KeptTokens | undefined;
  readonly account: string;
  /** The server; the token of another one is never sent to it. */
  readonly url: string;
}

/** The token of one account. */
export interface Access {
  /** The token; nobody having signed in is `unauthorized`. */
  token(): Promise<string>;
  /** Whether there is another token by now than the one that was refused. */
  hasOther(refused: string): Promise<boolean>;
}

export function accessOf({ token, tokens, account, url }: AccessOptions): Access {
  const kept = token === undefined ? tokens : tokensInMemory({ accessToken: token });
  let current: string | undefined;

  async function load(): Promise<string | undefined> {
    const { data } = Kept.safeParse(await kept?.load());
    current = data?.url === undefined || hostOf(data.url) === hostOf(url) ? data?.accessToken : undefined;
    return current;
  }

  return {
    async token() {
      // Who signs in anew is heard at once: the token before it may be good for ever.
      const known = current === undefined || (await kept?.areOthers()) === true ? await load() : current;
      if (known !== undefined) return known;
      const message = `Nobody has signed in to ${PLATFORM} as ${account}: run \`fanfare auth ${account}\`, or give a token.`;
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
