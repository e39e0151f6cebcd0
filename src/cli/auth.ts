import { Option, type Command } from 'commander';
import { ConfigError, UserError } from '#src/errors.ts';
import { openCallback, redirectUriOf, type Callback } from '#src/admin/accounts/callback.ts';
import { nameSuggestion } from '#src/clients/operation/closest-name.ts';
import { addToDotEnv } from '#src/admin/accounts/dot-env.ts';
import { readSentBack } from '#src/admin/accounts/redirect-parameters.ts';
import type { DevicePrompt } from '#src/admin/accounts/channel-sign-in.ts';
import type { Account, AccountSetup, SignIn } from '#src/admin/accounts/sign-in.ts';
import { FEW_OFF_RULES, offRuleLines, type OffRule } from '#src/rules/messages/off-rules.ts';
import { document } from './document.ts';
import { forSentences, oneLine, printError, printSteps } from './format.ts';
import { operator } from './operator.ts';
import type { ConfirmedSignIn } from '#src/admin/actions/account-actions.ts';
import { parsePort } from './option-values.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';
import { isUnanswered, untilAnswered } from './until-answered.ts';
import { withPassword } from './with-password.ts';

export function declare(program: Command, whole: Terminal): void {
  const out = forSentences(whole);
  document(program.command('auth'), {
    group: 'setUp',
    summary: 'Connect an account or the Discord bot',
    description: [
      'Connect an account. The command explains what to do on the platform, asks for the credentials, checks them, and writes them to .env.',
      'With twitch and --channel, the command signs in to your own channel with a code, so that rules can read its followers and write in its chat. It asks for the permissions that your rules need.',
      'X and Mastodon ask for your permission in a browser. Fanfare stores their tokens encrypted in its state. --sign-out deletes them.',
      'With discord, the command sets up the bot: its token, its server, and an invite link with the permissions that your rules need.',
    ],
    examples: [
      ['Connect Twitch', 'fanfare auth twitch'],
      ['Sign in to your channel on Twitch', 'fanfare auth twitch --channel'],
      ['Set up the Discord bot', 'fanfare auth discord'],
      ['Connect an account of fanfare.yaml', 'fanfare auth mastodon_de'],
      ['Sign out of an account', 'fanfare auth mastodon --sign-out'],
    ],
    exits: ['The account works', 'The account is unknown, or the platform rejects the credentials'],
  })
    .argument('<account>', 'Platform, such as twitch or discord, or an account of fanfare.yaml')
    .option('--port <port>', 'Local port of the callback URL, which must be registered at X', '8082')
    .option('--channel', 'Sign in to the channel of an account of Twitch')
    .addOption(new Option('--sign-out', 'Delete the stored sign-in of the account').conflicts('channel'))
    .action(async (account: string, { port, signOut = false, channel = false }: AuthFlags) => {
      if (signOut) return signOutOf(account, out);
      if (channel) return signInChannelOf(account, out);
      const callbackPort = parsePort(port);
      const [{ prompter }, { openSignIn }] = await Promise.all([import('./prompter.ts'), import('#src/app/open-sign-in.ts')]);
      const stopping = new AbortController();
      process.once('SIGINT', () => process.exit(130));
      using asking = prompter({
        input: process.stdin,
        out,
        command: 'fanfare auth',
        hint: 'Run the command in a terminal. Nothing was written.',
        screen: process.stdout,
      });
      const offRules = async (added: Variables): Promise<readonly OffRule[]> => {
        const { openRules } = await import('#src/app/open-rules.ts');
        try {
          return (await openRules({ ...process.env, ...added }).load([])).off;
        } catch (error) {
          // The sign-in works without rules, and before a mistake in the files is corrected.
          if (error instanceof ConfigError) return [];
          throw error;
        }
      };
      const write = (variables: Variables): Promise<void> => addToDotEnv('.env', variables);
      if (account === DISCORD) {
        const [{ authDiscord }, { openDiscordSetup }] = await Promise.all([
          import('./auth-discord.ts'),
          import('#src/app/open-discord-setup.ts'),
        ]);
        process.exitCode = await authDiscord({
          setup: openDiscordSetup(process.env),
          write,
          offRules,
          prompter: asking,
          out,
          signal: stopping.signal,
        });
        return;
      }
      process.exitCode = await auth({
        account,
        open: (added) => openSignIn({ environment: { ...process.env, ...added }, write: (line) => out.printError(line.trimEnd()) }),
        write,
        offRules,
        port: callbackPort,
        openCallback: (state) => openCallback(callbackPort, state),
        prompter: asking,
        out,
        signal: stopping.signal,
      });
    });
}

interface AuthFlags {
  readonly port: string;
  readonly signOut?: boolean;
  readonly channel?: boolean;
}

/** Signs in to the channel of an account, and waits until a person has entered the code. */
async function signInChannelOf(account: string, out: Terminal): Promise<void> {
  const { openSignIn } = await import('#src/app/open-sign-in.ts');
  await using signingIn = await openSignIn({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
  const show = ({ url, code, scopes }: DevicePrompt): void => {
    out.print(out.paint('bold', 'Fanfare requests these permissions from your channel:'));
    for (const { name, why } of scopes) out.print(`  ${name}  ${out.paint('dim', why)}`);
    out.print(`\nOpen this page, sign in as your channel, and enter the code ${out.paint('bold', code)}:\n\n  ${out.paint('cyan', url)}\n`);
  };
  const { who, missing } = await signingIn.signInChannel({ account, show }, operator());
  for (const { name, why } of missing) out.print(`${out.paint('yellow', '!')} ${name} was not granted: ${why}`);
  out.print(`${out.paint('green', '✓')} ${account}: the channel ${oneLine(who)} is signed in`);
}

async function signOutOf(account: string, out: Terminal): Promise<void> {
  const { openSignIn } = await import('#src/app/open-sign-in.ts');
  await using signingIn = await openSignIn({ environment: process.env, write: (line) => out.printError(line.trimEnd()) });
  const { method } = await signingIn.signOutAccount({ account }, operator());
  // An account with credentials has tokens of its channel only.
  const [what, flag] = method === 'credentials' ? ['The channel of ', ' --channel'] : ['', ''];
  out.print(`${what}${account} is signed out. To sign in: fanfare auth ${account}${flag}`);
}

/** One bot serves all servers, so their accounts are set up together. */
const DISCORD = 'discord';

type Variables = Readonly<Record<string, string>>;

export interface AuthOptions {
  /** An account, or a platform without an account. */
  readonly account: string;
  /** Opens the accounts of the environment and of the added variables. */
  readonly open: (added?: Variables) => Promise<SignIn>;
  /** Adds variables to the environment permanently. */
  readonly write: (variables: Variables) => Promise<void>;
  /** The rules that stay off with the accounts of the environment and of the added variables. */
  readonly offRules: (added: Variables) => Promise<readonly OffRule[]>;
  /** The port of the callback URL. */
  readonly port: number;
  readonly openCallback: (state: string) => Promise<Callback>;
  readonly prompter: Prompter;
  readonly out: Terminal;
  readonly signal: AbortSignal;
}

/** Guides a person through the sign-in to one account. Returns the exit code: 1 if the sign-in fails. */
export async function auth(options: AuthOptions): Promise<number> {
  const { account: name, out } = options;
  let signingIn = await options.open();
  try {
    let account = find(signingIn, name);
    let answers: Variables = {};
    if (!account) {
      const setup = signingIn.setupOf(name);
      if (!setup) return unknown(name, signingIn, out);
      answers = await askCredentials(setup, options);
      await signingIn[Symbol.asyncDispose]();
      signingIn = await options.open(answers);
      account = find(signingIn, name);
      if (!account) throw new Error(`the account ${name} is missing although its variables were added`);
    }
    return await signIn(account, signingIn, { ...options, answers });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    printError(error.message, out);
    return 1;
  } finally {
    await signingIn[Symbol.asyncDispose]();
  }
}

function find({ accounts }: SignIn, name: string): Account | undefined {
  return accounts.find(({ account }) => account === name);
}

function unknown(name: string, { accounts, platforms }: SignIn, out: Terminal): number {
  const names = [...new Set([...platforms, DISCORD, ...accounts.map(({ account }) => account)])];
  printError(
    `unknown account ${name}${nameSuggestion(name, names)}\n  Accounts: ${names.join(', ')}. To add one with another name: fanfare.yaml`,
    out,
  );
  return 1;
}

/** Asks for the variables of an account of the platform. */
async function askCredentials(
  { fields, steps: stepsFor }: AccountSetup,
  { account: platform, port, prompter, out }: AuthOptions,
): Promise<Variables> {
  const steps = stepsFor(redirectUriOf(port));
  out.print(out.paint('bold', `No ${platform} account is configured yet. To connect one:`));
  printSteps(steps, out);
  const variables: Record<string, string> = {};
  for (const { variable, question, isSecret = false, isOptional = false, schema } of fields) {
    const answer = await prompter.ask({
      text: question,
      isSecret,
      read(text) {
        const error = text === '' ? (isOptional ? undefined : 'a value is required') : schema?.safeParse(text).error?.issues[0]?.message;
        return error === undefined ? { value: text } : { error };
      },
    });
    if (answer !== '') variables[variable] = answer;
  }
  return variables;
}

async function signIn(account: Account, signingIn: SignIn, options: AuthOptions & { readonly answers: Variables }): Promise<number> {
  const { out } = options;
  const method = signingIn.methodOf(account);
  let who = '';
  if (method === 'browser') {
    const confirmed = await inBrowser(account, signingIn, options);
    // The stored tokens belong to these variables, even if they could not be tried.
    await saveAnswers(options);
    if (confirmed.failure) throw confirmed.failure;
    who = confirmed.who ?? '';
  }
  if (method === 'password') who = await withPassword(account, { ...options, signingIn });
  if (method === 'credentials') who = await check(account, signingIn, options);
  if (method !== 'browser') await saveAnswers(options);
  out.print(`${out.paint('green', '✓')} ${account.account}: ${oneLine(who)}`);
  if (Object.keys(options.answers).length > 0) out.print(out.paint('dim', 'If Fanfare is running, restart it to use this account.'));
  else if (method !== 'credentials') out.print(out.paint('dim', 'If Fanfare is running, it uses this sign-in from its next request on.'));
  for (const line of offRuleLines(await options.offRules(options.answers), FEW_OFF_RULES)) out.print(out.paint('yellow', line));
  return 0;
}

/** Saves the answers after they have worked. A wrong answer in `.env` would not be asked for again. */
async function saveAnswers({ answers, write, out }: AuthOptions & { readonly answers: Variables }): Promise<void> {
  const names = Object.keys(answers);
  if (names.length === 0) return;
  await write(answers);
  out.print(out.paint('dim', `Written to .env: ${names.join(', ')}`));
}

async function check(
  { account }: Account,
  signingIn: SignIn,
  { port, signal, answers, ...options }: AuthOptions & { readonly answers: Variables },
): Promise<string> {
  const signInOnce = () => signingIn.signInAccount({ account, port }, operator(), signal);
  const result = await (Object.keys(answers).length > 0 ? untilAnswered(signInOnce, options) : signInOnce());
  return 'who' in result ? result.who : '';
}

async function inBrowser(
  account: Account,
  signingIn: SignIn,
  options: AuthOptions & { readonly answers: Variables },
): Promise<ConfirmedSignIn> {
  const { port, openCallback, prompter, out, signal } = options;
  const attempt = await signingIn.signInAccount({ account: account.account, port }, operator(), signal);
  if (!('redirectUri' in attempt)) throw new Error(`${account.account} does not sign in with a browser`);
  const { redirectUri } = attempt;
  const state = new URL(attempt.url).searchParams.get('state') ?? '';
  await using callback = await openCallback(state);
  const widest = Math.max(...attempt.scopes.map(({ name }) => name.length));
  out.print(out.paint('bold', `Fanfare requests these permissions from ${account.platform}:`));
  for (const { name, why } of attempt.scopes) out.print(`  ${name.padEnd(widest)}  ${out.paint('dim', why)}`);
  out.print(`\nSign in to the account in a browser, open this link, and allow the access:\n\n  ${out.paint('cyan', attempt.url)}\n`);
  const errorHint = signingIn.setupOf(account.platform)?.errorHint;
  if (errorHint) out.print(out.paint('dim', errorHint(redirectUri)));
  const where = callback.isListening ? 'If the browser is on another machine' : `Another program uses the port of ${redirectUri}`;
  out.print(out.paint('dim', `${where}: copy the address of the last page and paste it here.`));
  const pasted = prompter.ask({
    text: 'Waiting for the browser, or for the address',
    read(text) {
      try {
        return { value: readSentBack(text, state) };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { error: error.message };
      }
    },
  });
  const { code } = await Promise.race([callback.answer, pasted]);
  pasted.catch(() => undefined);
  const address = `${redirectUri}?${new URLSearchParams({ code, state }).toString()}`;
  const confirmed = await signingIn
    .confirmAccount({ account: account.account, address }, operator(), signal)
    .catch(async (error: unknown) => {
      // The platform accepted the answers in the browser, and X shows its secret once.
      if (isUnanswered(error)) await saveAnswers(options);
      throw error;
    });
  for (const { name, why } of confirmed.missing) out.print(`${out.paint('yellow', '!')} ${name} was not granted: ${why}`);
  return confirmed;
}
