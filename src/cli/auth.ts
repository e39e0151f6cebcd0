import type { Command } from 'commander';
import { ConfigError, UserError } from '#src/errors.ts';
import { openCallback, redirectUriOf, type Callback } from '#src/sign-in/callback.ts';
import { nameSuggestion } from '#src/operation/closest-name.ts';
import { addToDotEnv } from '#src/sign-in/dot-env.ts';
import { PLATFORM_SETUPS, type SignInPlatform } from '#src/sign-in/platform-setups.ts';
import { readSentBack } from '#src/sign-in/redirect-parameters.ts';
import type { SignInAccount, SignIn } from '#src/sign-in/sign-in.ts';
import { FEW_OFF_RULES, offRuleLines, type OffRule } from '#src/rules/messages/off-rules.ts';
import { document } from './document.ts';
import { oneLine, printError } from './format.ts';
import { parsePort } from './option-values.ts';
import type { Prompter } from './prompter.ts';
import type { Terminal } from './terminal.ts';
import { withPassword } from './with-password.ts';

/** Declares the command `auth`. */
export function declare(program: Command, out: Terminal): void {
  document(program.command('auth'), {
    group: 'setUp',
    summary: 'Connect an account or the Discord bot',
    description: [
      'Connect an account. The command explains what to do on the platform, asks for the credentials, checks them, and writes them to .env.',
      'X and Mastodon ask for your permission in a browser. Fanfare stores their tokens encrypted in the data folder.',
      'With discord, the command sets up the bot: its token, its server, and an invite link with the permissions that your rules need.',
    ],
    examples: [
      ['Connect Twitch', 'fanfare auth twitch'],
      ['Set up the Discord bot', 'fanfare auth discord'],
      ['Connect an account of fanfare.yaml', 'fanfare auth mastodon_de'],
    ],
    exits: ['The account works', 'The account is unknown, or the platform rejects the credentials'],
  })
    .argument('<account>', 'Platform (twitch, kick, x, bluesky, mastodon or discord), or an account of fanfare.yaml')
    .option('--port <port>', 'Local port of the callback URL, which must be registered at X', '8082')
    .action(async (account: string, { port }: { readonly port: string }) => {
      const callbackPort = parsePort(port);
      const [{ prompter }, { openSignIn }] = await Promise.all([import('./prompter.ts'), import('#src/app.ts')]);
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
        redirectUri: redirectUriOf(callbackPort),
        openCallback: (state) => openCallback(callbackPort, state),
        prompter: asking,
        out,
        signal: stopping.signal,
      });
    });
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
  readonly redirectUri: string;
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
      if (!isPlatform(name)) return unknown(name, signingIn, out);
      answers = await askCredentials(name, options);
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

function find({ accounts }: SignIn, name: string): SignInAccount | undefined {
  return accounts.find(({ account }) => account === name);
}

function isPlatform(name: string): name is SignInPlatform {
  return Object.hasOwn(PLATFORM_SETUPS, name);
}

function unknown(name: string, { accounts }: SignIn, out: Terminal): number {
  const names = [...new Set([...Object.keys(PLATFORM_SETUPS), DISCORD, ...accounts.map(({ account }) => account)])];
  printError(
    `unknown account ${name}${nameSuggestion(name, names)}\n  Accounts: ${names.join(', ')}. To add one with another name: fanfare.yaml`,
    out,
  );
  return 1;
}

/** Asks for the variables of an account of the platform. */
async function askCredentials(platform: SignInPlatform, { redirectUri, prompter, out }: AuthOptions): Promise<Variables> {
  const { fields, ...setup } = PLATFORM_SETUPS[platform];
  const steps = setup.steps(redirectUri);
  out.print(out.paint('bold', `No ${platform} account is configured yet. To connect one:`));
  for (const [index, step] of steps.entries()) out.print(steps.length === 1 ? `  ${step}` : `  ${index + 1}. ${step}`);
  const variables: Record<string, string> = {};
  for (const { variable, question, isSecret = false, isOptional = false, validate } of fields) {
    const answer = await prompter.ask({
      text: question,
      isSecret,
      read(text) {
        const error = text === '' ? (isOptional ? undefined : 'a value is required') : validate?.(text);
        return error === undefined ? { value: text } : { error };
      },
    });
    if (answer !== '') variables[variable] = answer;
  }
  return variables;
}

async function signIn(account: SignInAccount, signingIn: SignIn, options: AuthOptions & { readonly answers: Variables }): Promise<number> {
  const { out, signal } = options;
  const method = signingIn.methodOf(account);
  if (method === 'browser') {
    await inBrowser(account, signingIn, options);
    // The stored tokens belong to these variables, even if the check below fails.
    await saveAnswers(options);
  }
  const who = method === 'password' ? await withPassword(account, { ...options, signingIn }) : await signingIn.check(account, { signal });
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

async function inBrowser(account: SignInAccount, signingIn: SignIn, options: AuthOptions): Promise<void> {
  const { redirectUri, openCallback, prompter, out, signal } = options;
  const attempt = await signingIn.begin(account, redirectUri, signal);
  await using callback = await openCallback(attempt.state);
  const widest = Math.max(...attempt.scopes.map(({ name }) => name.length));
  out.print(out.paint('bold', `Fanfare requests these permissions from ${account.platform}:`));
  for (const { name, why } of attempt.scopes) out.print(`  ${name.padEnd(widest)}  ${out.paint('dim', why)}`);
  out.print(`\nSign in to the account in a browser, open this link, and allow the access:\n\n  ${out.paint('cyan', attempt.url)}\n`);
  const { errorHint } = PLATFORM_SETUPS[account.platform];
  if (errorHint) out.print(out.paint('dim', errorHint(redirectUri)));
  const where = callback.isListening ? 'If the browser is on another machine' : `Another program uses the port of ${redirectUri}`;
  out.print(out.paint('dim', `${where}: copy the address of the last page and paste it here.`));
  const pasted = prompter.ask({
    text: 'Waiting for the browser, or for the address',
    read(text) {
      try {
        return { value: readSentBack(text, attempt.state) };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { error: error.message };
      }
    },
  });
  const missing = await attempt.finish(await Promise.race([callback.answer, pasted]), signal);
  pasted.catch(() => undefined);
  for (const { name, why } of missing) out.print(`${out.paint('yellow', '!')} ${name} was not granted: ${why}`);
}
