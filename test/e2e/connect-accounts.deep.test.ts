import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { request } from 'undici';
import { z } from 'zod';
import { startSandbox, type Sandbox } from '#sandbox/index.ts';
import { eventually, freePort, getJson, launch, untilReady, type FanfareProcess } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const HOUR_MS = 3_600_000;
/** `npm start` usually reads the rules within this time. */
const STARTED_WITHIN_MS = 20_000;

const Posts = z.object({ items: z.array(z.looseObject({})) });
const Rule = z.object({ nextRunAt: z.string().optional() });
const Decisions = z.object({ items: z.array(z.unknown()) });

/** The text of the page before the permissions in Discord. */
const [section = ''] = readFileSync('docs/operating/connect-accounts.md', 'utf8').split('\n## ', 1);
const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gmu)].map(([, language = '', text = '']) => ({ language, text }));
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => [...text.matchAll(/^npx fanfare ([a-z ]+?) *(?:#.*)?$/gmu)].map(([, command = '']) => command.split(' ')));
const [fanfareYaml = '', ruleYaml = ''] = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);

interface Walk {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command, types the answers and agrees in a browser. */
async function walk(
  args: readonly string[],
  { folder, environment, answers }: Followed & { readonly answers: readonly string[] },
): Promise<Walk> {
  const child = spawn(process.execPath, [resolve('bin/fanfare.mjs'), ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const page = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const [address] = /http:\/\/\S+authorize\?\S+(?=\s)/u.exec(output) ?? [];
      if (address !== undefined) page.resolve(address);
    });
  }
  child.stdin.write(answers.map((answer) => `${answer}\n`).join(''));
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const browsing = Promise.race([page.promise.then(consent), ended]);
  const code = await ended;
  await browsing;
  return { code, output };
}

/** Presses the first button of the authorization page. */
async function consent(address: string): Promise<void> {
  const { body } = await request(address);
  const html = await body.text();
  const unescaped = (text = ''): string => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  const attribute = (tag: string, name: string): string => unescaped(new RegExp(`${name}="([^"]*)"`, 'u').exec(tag)?.[1]);
  const [form = ''] = /<form[^>]*>/u.exec(html) ?? [];
  const [button = ''] = /<button[^>]*>/u.exec(html) ?? [];
  const fields = [...html.matchAll(/<input[^>]*>/gu)].map(([tag]) => tag).concat(button);
  const filled = new URLSearchParams(fields.map((tag): [string, string] => [attribute(tag, 'name'), attribute(tag, 'value')]));
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await request(new URL(attribute(form, 'action') || address, address), {
    method: 'POST',
    headers,
    body: filled.toString(),
  });
  await answer.body.dump();
  const back = await request(String(answer.headers['location']));
  expect(await back.body.text()).toContain('The sign-in is complete.');
}

interface Followed {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The credentials by command. */
function answersOf({ environment, onRequest }: Sandbox): Readonly<Record<string, readonly string[]>> {
  const all: Readonly<Record<string, string>> = { ...environment, ...Object.assign({}, ...Object.values(onRequest)) };
  const values = (...names: readonly string[]): readonly string[] => names.map((name) => all[name] ?? '');
  return {
    twitch: values('TWITCH_CLIENT_ID', 'TWITCH_CLIENT_SECRET'),
    x: values('X_CLIENT_ID', 'X_CLIENT_SECRET'),
    bluesky: values('BLUESKY_HANDLE', 'BLUESKY_APP_PASSWORD'),
    mastodon: values('MASTODON_URL'),
    discord: values('DISCORD_TOKEN'),
  };
}

test('“Connect real accounts” leads from an empty configuration to a post on all three platforms', async () => {
  await using sandbox = await startSandbox({});
  using folder = temporaryFolder({ inMemory: true });
  const addresses = Object.entries({ ...sandbox.environment, ...sandbox.onRequest['x'], ...sandbox.onRequest['bluesky'] }).filter(
    ([name]) => /^(TWITCH|X|BLUESKY|DISCORD)_(API_|AUTH_|PLC_|VIDEO_)?URL$/u.test(name),
  );
  const environment = { ...Object.fromEntries(addresses), FANFARE_DATA: join(folder.path, 'data') };
  const followed = { folder: folder.path, environment };
  const answers = answersOf(sandbox);
  mkdirSync(join(folder.path, 'rules'));

  for (const [command = '', account = ''] of commands.filter(([first]) => first === 'auth')) {
    const port = String(await freePort());
    const { code, output } = await walk([command, account, '--port', port], { ...followed, answers: answers[account] ?? [] });
    expect(output).toMatch(account === 'discord' ? /^✓ .*: the bot has all permissions$/mu : new RegExp(`✓ ${account}: `, 'u'));
    expect(code).toBe(0);
  }

  const dotEnv = readFileSync(join(folder.path, '.env'), 'utf8');
  expect(Object.keys(parseEnv(dotEnv)).toSorted()).toEqual(
    [
      'BLUESKY_HANDLE',
      'DISCORD_GUILD_ID',
      'DISCORD_TOKEN',
      'MASTODON_URL',
      'TWITCH_CLIENT_ID',
      'TWITCH_CLIENT_SECRET',
      'X_CLIENT_ID',
      'X_CLIENT_SECRET',
    ].toSorted(),
  );
  expect(dotEnv).not.toContain(answers['bluesky']?.[1]);
  expect(statSync(join(folder.path, '.env')).mode & 0o777).toBe(0o600);
  for (const file of ['fanfare.sqlite', 'fanfare.sqlite-wal']) {
    const kept = readFileSync(join(folder.path, 'data', file), { flag: 'a+' }).toString('latin1');
    for (const secret of ['accessToken', answers['bluesky']?.[1] ?? '']) expect(kept).not.toContain(secret);
    // Encrypted text can contain the first characters of a JSON Web Token by chance, but no dot.
    expect(kept).not.toMatch(/eyJ[\w-]+\.eyJ/u);
  }

  writeFileSync(join(folder.path, 'fanfare.yaml'), fanfareYaml);
  const writeRule = (inMs: number): void => {
    const at = new Date(Date.now() + inMs).toISOString();
    writeFileSync(join(folder.path, 'rules', 'hello.yaml'), ruleYaml.replace(/at: \S+/u, `at: ${at}`));
  };
  writeRule(HOUR_MS);
  const { code, output } = await walk(['doctor'], { ...followed, answers: [] });
  expect(output).toMatch(/No problems found\./u);
  expect(code).toBe(0);

  // The time must be in the future when Fanfare reads the rule, because Fanfare does not run past times.
  let inMs = STARTED_WITHIN_MS;
  const startBefore = async (): Promise<FanfareProcess> => {
    writeRule(inMs);
    const fanfare = await launch({ environment, cwd: folder.path });
    await untilReady(fanfare);
    const { nextRunAt } = Rule.parse(await getJson(`${fanfare.url}/api/rules/hello`));
    const { items } = Decisions.parse(await getJson(`${fanfare.url}/api/decisions?rule=hello&outcome=fired`));
    if (nextRunAt !== undefined || items.length > 0) return fanfare;
    await fanfare[Symbol.asyncDispose]();
    inMs *= 2;
    return startBefore();
  };
  await using _fanfare = await startBefore();
  for (const platform of ['x', 'bluesky', 'mastodon']) {
    const items = await eventually(`the post on ${platform}`, async () => {
      const posts = Posts.parse(await getJson(`${sandbox.url}/control/${platform}/posts`)).items;
      return posts.length > 0 && posts;
    });
    expect(JSON.stringify(items)).toContain('Hello from Fanfare');
    expect(items).toHaveLength(1);
  }
});
