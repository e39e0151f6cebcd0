import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ANSWER_CONVERSION } from '#src/admin/queries/answer-conversion.ts';
import { describeAnswers } from '#src/cli/describe-answers.ts';
import { FailureAnswer } from '#src/cli/print-failure.ts';
import { program } from '#src/cli/program.ts';
import { terminal } from '#src/cli/terminal.ts';
import { WITHOUT_JSON } from '#src/cli/without-json.ts';
import { openStore } from '#src/store/store.ts';
import { objectionsTo } from '../support/json-schema.ts';
import { runHere } from '../support/run-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { leaveUndecided } from '../support/undecided.ts';

const SECRETS = ['discord-secret-token', 'twitch-secret-0123', 'x-secret-0123456'];

const fanfare = await program(['node', 'fanfare'], terminal(process));
const answers = describeAnswers(fanfare);

const project = temporaryFolder();
afterAll(() => project[Symbol.dispose]());
const data = join(project.path, 'data');

/** Runs a command with `--json` in the project, on its own sandbox. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { code, output, stdout } = await runHere({
    args: [...args, '--json'],
    cwd: project.path,
    environment: { FANFARE_DATA: data, FANFARE_SANDBOX: '1', ...environment },
  });
  const answer = JSON.parse(stdout) as Readonly<Record<string, unknown>>; // a command prints an object
  return { code, output, answer };
}

function schemaOf(form: z.ZodType) {
  return z.toJSONSchema(form, ANSWER_CONVERSION);
}

beforeAll(async () => {
  await runHere({ args: ['init', project.path] });
});

test('each command answers with JSON, or has a reason', () => {
  const names = fanfare.commands.map((command) => command.name());

  expect(names.filter((name) => !answers.has(name))).toEqual(names.filter((name) => name in WITHOUT_JSON));
  expect(Object.keys(WITHOUT_JSON).filter((name) => !names.includes(name) || answers.has(name))).toEqual([]);
});

test('no answer has a field with the name of the version', () => {
  const forms = [...answers].flatMap(([name, form]) =>
    (form instanceof z.ZodUnion ? form.options : [form]).map((one) => [name, one] as const),
  );

  expect(forms.filter(([, form]) => !(form instanceof z.ZodObject) || 'version' in form.shape).map(([name]) => name)).toEqual([]);
});

/** Command lines with the exit code, in an order in which they work. `run` and the commands of PostgreSQL have their own tests. */
const LINES: readonly (readonly [line: string, code?: number])[] = [
  ['init .'],
  ['check'],
  ['test'],
  ['new --kind live --channels ada --say discord --id ada-live'],
  ['capabilities'],
  ['capabilities twitch'],
  ['doctor'],
  ['preview first-rule --items 1'],
  ['replay first-rule'],
  ['explain first-rule'],
  ['explain --item ada'],
  ['rules list'],
  ['pause first-rule --until in_2h'],
  ['resume first-rule'],
  ['keep first-rule'],
  ['resolve'],
  ['resolve $unknown'],
  ['resolve $unknown again'],
  ['resend'],
  ['answer'],
  ['token create --name ci --expires in_30d'],
  ['token list'],
  ['user list'],
  ['lists add team ada twitch=ada'],
  ['lists edit team ada kick=ada_k'],
  ['lists show team'],
  ['lists export team'],
  ['lists changes team'],
  ['lists remove team ada'],
  ['lists'],
  ['servers'],
  ['posts'],
  ['backup copy.sqlite'],
  ['restore copy.sqlite'],
];

test('the answers have their forms, and no secrets', { timeout: 60_000 }, async () => {
  const unknown = await undecided();
  const seen = new Set<string>();
  for (const [line, expected = 0] of LINES) {
    const [name = '', ...args] = line
      .replace('$unknown', unknown)
      .split(' ')
      .map((word) => word.replace('_', ' '));
    const form = answers.get(name);
    const { code, answer, output } = await run([name, ...args], secretVariables(name));
    seen.add(name);

    expect({ line, code, output: code === expected ? '' : output }).toEqual({ line, code: expected, output: '' });
    expect(answer['version']).toBe(1);
    expect([line, form ? objectionsTo(answer, schemaOf(form)) : ['no form']]).toEqual([line, []]);
    expect(SECRETS.filter((secret) => output.includes(secret))).toEqual([]);
  }
  const elsewhere = ['run', 'migrate'];

  expect([...answers.keys()].filter((name) => !seen.has(name))).toEqual(elsewhere);
});

/** Stores an unknown delivery. Returns the start of its id. */
async function undecided(): Promise<string> {
  await run(['user', 'list']);
  await using store = await openStore({ file: join(data, 'fanfare.sqlite') });
  const id = await leaveUndecided(store, { content: 'Ada is live', slotMs: Date.now() - 60_000 });
  return id.replace(/^-+/u, '');
}

/** Accounts with secrets. The commands that send requests have the accounts of the sandbox. */
function secretVariables(name: string): Readonly<Record<string, string>> {
  if (['doctor', 'preview', 'new'].includes(name)) return {};
  const [discord = '', twitch = '', x = ''] = SECRETS;
  return {
    DISCORD_TOKEN: discord,
    DISCORD_GUILD_ID: '1202584131993600001',
    TWITCH_CLIENT_ID: 'id',
    TWITCH_CLIENT_SECRET: twitch,
    X_CLIENT_ID: 'id',
    X_CLIENT_SECRET: x,
  };
}

test('run prints the answer of the running process', async () => {
  const decision = { rule: 'first-rule', at: '2026-11-20T18:00:00.000Z', outcome: 'unchanged', message: 'nothing changed' };
  const server = createServer((_, response) => response.end(JSON.stringify({ decisions: [decision], firings: 0 })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    const { code, answer } = await run(['run', 'first-rule'], { PORT: String(typeof address === 'object' ? address?.port : 0) });

    expect({ code, answer }).toEqual({ code: 0, answer: { version: 1, rule: 'first-rule', decisions: [decision], firings: 0 } });
  } finally {
    server.close();
  }
});

describe('a failure is one JSON document on standard output', () => {
  test.for([
    ['pause nobody', 1, { code: 'ruleNotFound', hint: expect.stringContaining('Rules: ') }],
    ['explain nobody', 1, { code: 'ruleNotFound' }],
    ['preview nobody', 1, { code: 'ruleNotFound' }],
    ['check nobody', 1, { code: 'ruleNotFound' }],
    ['test nobody', 1, { code: 'ruleNotFound' }],
    ['capabilities twich', 1, { code: 'platformNotFound' }],
    ['resend 00000000', 1, { code: 'deliveryNotFound', message: 'there is no delivery 00000000' }],
    ['token revoke 00000000', 1, { code: 'tokenNotFound' }],
    ['lists show nowhere', 1, { code: 'listNotFound' }],
    ['lists undo nothing', 1, { code: 'changeNotFound' }],
    ['check missing.yaml', 1, { code: 'configuration', file: expect.any(String) }],
    ['run first-rule', 1, { code: 'configuration', file: 'HOST and PORT' }],
    ['migrate --to ./moved', 1, { code: 'configuration' }],
    ['replay first-rule --since soon', 2, { code: 'usage', argument: '--since' }],
    ['pause', 2, { code: 'usage', message: "missing required argument 'rule'" }],
    ['pauze first-rule', 2, { code: 'usage', message: "unknown command 'pauze' (Did you mean pause?)" }],
    ['start', 2, { code: 'usage', message: "unknown option '--json'" }],
    ['rules rollback x', 2, { code: 'usage' }],
  ] as const)('%s', async ([line, expected, error]) => {
    const { code, answer } = await run(line.split(' '), { PORT: '1' });

    expect({ code, answer }).toMatchObject({ code: expected, answer: { version: 1, error } });
    expect(objectionsTo(answer, schemaOf(FailureAnswer))).toEqual([]);
  });
});
