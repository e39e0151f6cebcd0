import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import type { Access } from '#src/admin/access/access.ts';
import { TOKEN_SCOPES, type ApiToken, type TokenScope } from '#src/admin/actions/people.ts';
import { TokenAnswer } from '#src/admin/queries/access-answers.ts';
import { refuseOthers, type ActionArguments } from './action-arguments.ts';
import { answering, type Answer } from './answering.ts';
import { document } from './document.ts';
import { oneLine } from './format.ts';
import { operator } from './operator.ts';
import type { Terminal } from './terminal.ts';
import { typedTime } from './typed-time.ts';
import { UsageError } from './usage-error.ts';

export function declare(program: Command, out: Terminal): void {
  const command = document(program.command('token'), {
    group: 'operate',
    summary: 'Create, list and revoke tokens of the HTTP API',
    description: [
      'Programs on other machines send a token with each request to the HTTP API: the header Authorization with Bearer and the token. On this machine, they need none.',
      'create: print a new token. Fanfare stores only its hash, so the token is not shown again. list: list the tokens with their last use. revoke: make a token invalid at once.',
      'The scope limits a token. metrics: read /metrics. read: read what Fanfare stores. write: also read the platforms, pause, run, resend, resolve and answer. admin: everything.',
    ],
    examples: [
      ['Create a token for Prometheus', 'fanfare token create --name prometheus --scope metrics'],
      ['Create a token that is valid for a month', 'fanfare token create --name ci --scope write --expires "in 30d"'],
      ['Revoke a token', 'fanfare token revoke 3f2a81c0'],
    ],
    exits: ['The action is done', 'There is no such token, or the state cannot be used'],
  })
    .addArgument(new Argument('<action>', 'What to do').choices(['create', 'list', 'revoke']))
    .argument('[id]', 'With revoke: id of the token, as list shows it')
    .option('--name <name>', 'With create: what uses the token')
    .addOption(new Option('--scope <scope>', 'With create: rights of the token').choices(TOKEN_SCOPES).default('read'))
    .option('--expires <time>', 'With create: when the token expires, for example "in 30d" or "in 12 weeks"; without it: never');
  answering(command, {
    schema: TokensAnswer,
    out,
    needsRun: true,
    async run(shown, action: keyof typeof RUNS, id: string | undefined, options: TokenOptions) {
      refuseOthers(command, action, TAKES[action]);
      const { withAccess } = await import('#src/app/open-access.ts');
      return await withAccess(process.env, (access) => RUNS[action]({ ...options, id, access, out: shown }));
    },
  });
}

const TokensAnswer = z.union([
  z
    .object({ token: TokenAnswer.extend({ text: z.string().describe('The text. It is not stored, and not shown again.') }) })
    .describe('With `create`.'),
  z.object({ tokens: z.array(TokenAnswer).readonly().describe('The tokens, newest first.') }).describe('With `list`.'),
  z.object({ revoked: z.string().describe('The id of the token.') }).describe('With `revoke`.'),
]);

type TokenResult = Promise<Answer<z.input<typeof TokensAnswer>>>;

interface TokenOptions {
  readonly name?: string | undefined;
  readonly scope: TokenScope;
  readonly expires?: string | undefined;
}

interface TokenParts extends TokenOptions {
  readonly id: string | undefined;
  readonly access: Access;
  readonly out: Terminal;
}

const LONGEST_NAME = 64;

async function create({ name, scope, expires, access, out }: TokenParts): TokenResult {
  if (name === undefined || oneLine(name).trim() === '' || name.length > LONGEST_NAME)
    throw new UsageError(`name what uses the token, in at most ${LONGEST_NAME} characters`, { argument: '--name' });
  const expiresAt = expires === undefined ? undefined : typedTime(expires, '--expires');
  const { token, text } = await access.createToken({ name, scope, expiresAt }, operator());
  out.print(text);
  out.printError(`Token ${token.id} with the scope ${scope} is created. It is not shown again.`);
  return { data: { token: { ...token, text } } };
}

async function list({ access, out }: TokenParts): TokenResult {
  const tokens = await access.tokens();
  if (tokens.length === 0) out.print('There are no tokens. To create one: fanfare token create --name <name>');
  for (const token of tokens) out.print(`${token.id}  ${token.scope.padEnd(7)}  ${stateOf(token)}  ${oneLine(token.name)}`);
  return { data: { tokens } };
}

async function revoke({ id, access, out }: TokenParts): TokenResult {
  if (id === undefined) throw new UsageError('name the token to revoke', { hint: 'To list the tokens: fanfare token list' });
  await access.revokeToken({ token: id }, operator());
  out.print(`Token ${id} is revoked.`);
  return { data: { revoked: id } };
}

const RUNS = { create, list, revoke };

const TAKES: Readonly<Record<keyof typeof RUNS, ActionArguments>> = {
  create: { most: 0, options: ['--name', '--scope', '--expires'], hint: 'To name what uses the token: --name' },
  list: { most: 0 },
  revoke: { most: 1 },
};

function stateOf({ expiresAt, lastUsedAt, revokedAt }: ApiToken): string {
  if (revokedAt) return `revoked ${dayOf(revokedAt)}`;
  const end = expiresAt ? `${expiresAt.getTime() <= Date.now() ? 'expired' : 'expires'} ${dayOf(expiresAt)}` : 'no expiry';
  return `${end}, ${lastUsedAt ? `last used ${dayOf(lastUsedAt)}` : 'never used'}`;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
