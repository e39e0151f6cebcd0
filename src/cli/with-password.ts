import type { Account, SignIn } from '#src/admin/accounts/sign-in.ts';
import { PlatformError } from '#src/errors.ts';
import { operator } from './operator.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';
import { untilAnswered } from './until-answered.ts';

export interface WithPasswordOptions {
  readonly signingIn: SignIn;
  readonly prompter: Prompter;
  readonly out: Terminal;
  /** The port of the callback URL. */
  readonly port: number;
  readonly signal: AbortSignal;
}

/** Signs in with a password that the person types. After a wrong password, asks again until they give up. Returns the name of the user. */
export async function withPassword(account: Account, { signingIn, prompter, out, port, signal }: WithPasswordOptions): Promise<string> {
  const where = `(${signingIn.setupOf(account.platform)?.passwordHint})`;
  let refusal: PlatformError | undefined;
  for (;;) {
    const password = await prompter
      .ask({
        text: `App password of ${account.account} ${refusal ? '(leave empty to stop)' : where}`,
        isSecret: true,
        read: (text) => (text === '' && !refusal ? { error: 'a value is required' } : { value: text }),
      })
      .catch((error: unknown) => {
        // The input ended, so there is no other password.
        throw refusal ?? error;
      });
    if (password === '' && refusal) throw refusal;
    try {
      const signInOnce = () => signingIn.signInAccount({ account: account.account, password, port }, operator(), signal);
      const result = await untilAnswered(signInOnce, { prompter, out });
      return 'who' in result ? result.who : '';
    } catch (error) {
      if (!(error instanceof PlatformError) || error.fault !== 'unauthorized') throw error;
      refusal = error;
      out.print(out.paint('yellow', `  ${error.message}`));
    }
  }
}
