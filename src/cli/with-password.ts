import type { SignInAccount, SignIn } from '#src/sign-in/sign-in.ts';
import { PlatformError } from '#src/errors.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';

export interface WithPasswordOptions {
  readonly signingIn: SignIn;
  readonly prompter: Prompter;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** As whom the platform knows the account by a password that somebody types: a wrong one is asked for again until they give up. */
export async function withPassword(account: SignInAccount, { signingIn, prompter, out, signal }: WithPasswordOptions): Promise<string> {
  const where = '(Bluesky: Settings, Privacy and security, App passwords; messages need one that allows them)';
  let refusal: PlatformError | undefined;
  for (;;) {
    const password = await prompter
      .ask({
        text: `App password of ${account.account} ${refusal ? '(nothing: give up)' : where}`,
        isSecret: true,
        read: (text) => (text === '' && !refusal ? { wrong: 'it is needed' } : { value: text }),
      })
      .catch((error: unknown) => {
        // Nobody is there to type another one.
        throw refusal ?? error;
      });
    if (password === '' && refusal) throw refusal;
    try {
      return await signingIn.check(account, { password, signal });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
      refusal = error;
      out.print(out.paint('yellow', `  ${error.message}`));
    }
  }
}
