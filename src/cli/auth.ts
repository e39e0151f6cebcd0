import { portFrom } from './numbers.ts';
import type { Command } from 'commander';
import type { Callback } from '#src/sign-in/callback.ts';
import type { Needs, SignInPlatform } from '#src/sign-in/needs.ts';
import type { SignInAccount, SignIn } from '#src/sign-in/sign-in.ts';
import { UserError } from '#src/errors.ts';
import { oneLine } from './one-line.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';
import { withPassword } from './with-password.ts';

/** Declares the command `auth`. */
export function declare(program: Command, out: Terminal): void {
  program
    .command('auth')
    .description('sign an account in: it walks you through, and keeps the tokens sealed')
    .argument('<account>', 'twitch, kick, x, bluesky or mastodon, or an account of fanfare.yaml')
    .option('--port <port>', 'where the browser is sent back to on this machine; X wants to know it', '8082')
    .action(async (account: string, { port }: { readonly port: string }) => {
      const [{ prompter }, { openSignIn }, { NEEDS }, back] = await Promise.all([
        import('./prompter.ts'),
        import('#src/app.ts'),
        import('#src/sign-in/needs.ts'),
        import('#src/sign-in/browser-return.ts'),
      ]);
      const stopping = new AbortController();
      process.once('SIGINT', () => process.exit(130));
      using asking = prompter({ input: process.stdin, out, command: 'fanfare auth', hint: 'run it in a terminal', screen: process.stdout });
      process.exitCode = await auth({
        account,
        needs: NEEDS,
        open: (added) => openSignIn({ environment: { ...process.env, ...added }, write: (line) => out.printError(line.trimEnd()) }),
        ...back.returningTo(portFrom(port)),
        prompter: asking,
        out,
        signal: stopping.signal,
      });
    });
}

type Variables = Readonly<Record<string, string>>;

export interface AuthOptions {
  /** An account, or a platform that has none yet. */
  readonly account: string;
  readonly needs: Readonly<Record<SignInPlatform, Needs>>;
  /** Opens what the environment gives, with what is added to it. */
  readonly open: (added?: Variables) => Promise<SignIn>;
  /** Adds to the environment, for good. */
  readonly write: (variables: Variables) => Promise<void>;
  readonly redirectUri: string;
  readonly openCallback: (state: string) => Promise<Callback>;
  readonly readSentBack: (pasted: string, state: string) => Awaited<Callback['answer']>;
  readonly prompter: Prompter;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** Walks a person through signing in to one account; the exit code is 1 where it did not come to its end. */
export async function auth(options: AuthOptions): Promise<number> {
  const { account: name, out } = options;
  let signingIn = await options.open();
  try {
    let account = find(signingIn, name);
    let answers: Variables = {};
    if (!account) {
      const platform = isPlatform(name, options) ? name : undefined;
      if (!platform) return unknown(name, signingIn, options);
      answers = await askFor(platform, options);
      await signingIn[Symbol.asyncDispose]();
      signingIn = await options.open(answers);
      account = find(signingIn, name);
      if (!account) throw new Error(`${name} was added and is not there`);
    }
    return await signIn(account, signingIn, { ...options, answers });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    out.printError(out.paint('red', error.message));
    return 1;
  } finally {
    await signingIn[Symbol.asyncDispose]();
  }
}

function find({ accounts }: SignIn, name: string): SignInAccount | undefined {
  return accounts.find(({ account }) => account === name);
}

function isPlatform(name: string, { needs }: AuthOptions): name is SignInPlatform {
  return Object.hasOwn(needs, name);
}

function unknown(name: string, { accounts }: SignIn, { needs, out }: AuthOptions): number {
  const names = [...new Set([...Object.keys(needs), ...accounts.map(({ account }) => account)])];
  out.printError(
    `${out.paint('red', 'there is no account')} ${name}\n  choose one of ${names.join(', ')}; more accounts are named in fanfare.yaml`,
  );
  return 1;
}

/** What opens an account of the platform, as variables. */
async function askFor(platform: SignInPlatform, { needs, redirectUri, prompter, out }: AuthOptions): Promise<Variables> {
  const { wanted, ...need } = needs[platform];
  const steps = need.steps(redirectUri);
  out.print(out.paint('bold', `An account of ${platform} is not configured yet.`));
  for (const [index, step] of steps.entries()) out.print(steps.length === 1 ? `  ${step}` : `  ${index + 1}. ${step}`);
  const variables: Record<string, string> = {};
  for (const { variable, question, isSecret = false, isOptional = false, wrong } of wanted) {
    const answer = await prompter.ask({
      text: question,
      isSecret,
      read(text) {
        const mistake = text === '' && !isOptional ? 'it is needed' : text === '' ? undefined : wrong?.(text);
        return mistake === undefined ? { value: text } : { wrong: mistake };
      },
    });
    if (answer !== '') variables[variable] = answer;
  }
  return variables;
}

async function signIn(account: SignInAccount, signingIn: SignIn, options: AuthOptions & { readonly answers: Variables }): Promise<number> {
  const { out, signal } = options;
  const way = signingIn.wayOf(account);
  if (way === 'browser') {
    await inBrowser(account, signingIn, options);
    // What was signed in with goes with the tokens, whatever the platform says next.
    await keep(options);
  }
  const who = way === 'password' ? await withPassword(account, { ...options, signingIn }) : await signingIn.check(account, { signal });
  if (way !== 'browser') await keep(options);
  out.print(`${out.paint('green', '✓')} ${account.account}: ${oneLine(who)}`);
  if (Object.keys(options.answers).length > 0)
    out.print(out.paint('dim', 'A Fanfare that runs here knows the account once it is started again.'));
  else if (way !== 'credentials') out.print(out.paint('dim', 'A Fanfare that runs here uses this sign-in from its next request on.'));
  return 0;
}

/** Writes down what was answered, once it has proven right: a wrong answer would not be asked for again. */
async function keep({ answers, write, out }: AuthOptions & { readonly answers: Variables }): Promise<void> {
  const names = Object.keys(answers);
  if (names.length === 0) return;
  await write(answers);
  out.print(out.paint('dim', `${names.join(' and ')} ${names.length === 1 ? 'stands' : 'stand'} in .env now`));
}

async function inBrowser(account: SignInAccount, signingIn: SignIn, options: AuthOptions): Promise<void> {
  const { redirectUri, openCallback, readSentBack, prompter, out, signal } = options;
  const turn = await signingIn.begin(account, redirectUri, signal);
  await using callback = await openCallback(turn.state);
  const widest = Math.max(...turn.scopes.map(({ name }) => name.length));
  out.print(out.paint('bold', `Fanfare asks ${account.platform} for:`));
  for (const { name, why } of turn.scopes) out.print(`  ${name.padEnd(widest)}  ${out.paint('dim', why)}`);
  out.print(`\nOpen this address in a browser that is logged in to the account, and say yes:\n\n  ${out.paint('cyan', turn.url)}\n`);
  const { refusedPage } = options.needs[account.platform];
  if (refusedPage) out.print(out.paint('dim', refusedPage(redirectUri)));
  const elsewhere = 'On another machine, the browser then finds nothing: copy its address line, and paste it here.';
  out.print(out.paint('dim', callback.isListening ? elsewhere : `${redirectUri} is taken on this machine: paste the address line here.`));
  const pasted = prompter.ask({
    text: 'Waiting for the browser, or for its address',
    read(text) {
      try {
        return { value: readSentBack(text, turn.state) };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { wrong: error.message };
      }
    },
  });
  const missing = await turn.finish(await Promise.race([callback.answer, pasted]), signal);
  pasted.catch(() => undefined);
  for (const { name, why } of missing) out.print(`${out.paint('yellow', '!')} ${name} was not granted: ${why}`);
}
