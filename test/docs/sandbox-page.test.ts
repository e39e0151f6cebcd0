import { readFileSync } from 'node:fs';
import { fetch } from 'undici';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { systemClock } from '#src/clock.ts';
import { fieldsOf, meaningOf } from '../../docs/generator/fields.ts';
import { alternativesOf } from '#sandbox/control/alternatives.ts';
import { controlRoutes } from '#sandbox/control/control.ts';
import { Faults } from '#sandbox/faults.ts';
import { startSandbox } from '#sandbox/index.ts';
import { openJournal } from '#sandbox/journal-sqlite.ts';
import { onRequestPlatforms } from '#sandbox/on-request.ts';
import { sandboxPlatforms } from '#sandbox/platforms.ts';
import { describeWorld } from '../../docs/generator/sandbox/describe-world.ts';
import { endpointGroups } from '../../docs/generator/sandbox/endpoints.ts';
import { Requests } from '#sandbox/requests.ts';
import { createWorld } from '#sandbox/world/create-world.ts';
import { checkBlock } from './check-block.ts';
import { pageFiles, readPage } from './pages.ts';

// test/docs/generator/reference.test.ts sends all examples and mistakes to a sandbox, and compares the answers with the pages.
const endpoints = endpointGroups.flatMap((group) => group.endpoints);
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

test('the reference has every route of the control API, and no other one', async () => {
  const journal = openJournal({});
  const world = createWorld({ seed: 1, journal });
  const context = { world, clock: systemClock, faults: new Faults(), journal, lively: false, url: () => 'http://127.0.0.1:1' };
  const platforms = [...sandboxPlatforms, ...onRequestPlatforms].map((create) => create(context));

  const { routes } = controlRoutes({ context, platforms, requests: new Requests(), speed: 1 });

  expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(named.map(([name]) => name).toSorted());
  for (const platform of platforms) await platform.close?.();
  journal.close();
});

test.each(named)('%s has an example of each form, and a description of each field', (_, { body, query, examples }) => {
  const forms = body ? (alternativesOf(body)?.forms ?? new Map([['', body]])) : new Map();
  const field = body && alternativesOf(body)?.field;
  const sent = examples.map((example) => example.body ?? {});

  expect(examples.length).toBeGreaterThan(0);
  const shown = [...forms].filter(([name, form]) =>
    sent.some(
      (order) => name === '' || (field === undefined ? name in order : form === forms.get(JSON.stringify(order[field]).slice(1, -1))),
    ),
  );
  expect(shown.map(([name]) => name)).toEqual([...forms.keys()]);
  const fields = [...forms.values(), ...(query ? [query] : [])].flatMap(fieldsOf);
  expect(fields.filter(([name, schema]) => name !== field && meaningOf(schema) === '').map(([name]) => name)).toEqual([]);
});

test.each(named.filter(([, { body, query }]) => query ?? (body && fieldsOf(body).length > 0)))(
  '%s shows the answer to a mistake',
  (_, { mistakes }) => {
    expect(mistakes?.length).toBeGreaterThan(0);
  },
);

const Watching = z.looseObject({
  when: z.looseObject({
    watch: z.string().default(''),
    // An expression reads a list.
    with: z.looseObject({ users: z.union([z.array(z.string()), z.string()]).default([]) }).default({ users: [] }),
    account: z.union([z.string(), z.array(z.string())]).default([]),
  }),
});

test('the streamers in guides exist in the sandbox, on the platforms that the rules read', () => {
  const { streamers } = describeWorld();
  const watched = pageFiles()
    .filter((file) => file.startsWith('docs/guides/'))
    .flatMap((file) => readPage(file).rules)
    .flatMap(({ id, source }) => {
      const { when } = Watching.parse(parse(source));
      const platforms = [when.account].flat();
      const names = [when.with.users].flat().filter((name) => /^\w+$/u.test(name));
      return when.watch.startsWith('streaming.') ? names.map((name) => ({ id, name, platforms })) : [];
    });

  const missing = watched.filter(({ name, platforms }) => {
    const found = streamers.find(({ handle }) => handle === name)?.platforms.map((platform) => platform.toLowerCase()) ?? [];
    return found.length === 0 || platforms.some((platform) => !found.includes(platform));
  });
  expect(watched.length).toBeGreaterThan(50);
  expect(watched.some(({ platforms }) => platforms.includes('kick'))).toBe(true);
  expect(missing).toEqual([]);
});

test('the channels in the rules of guides exist in the sandbox', () => {
  const channels = new Set(describeWorld().servers.flatMap((server) => server.channels.map(({ name }) => name)));
  const named = pageFiles()
    .filter((file) => file.startsWith('docs/guides/'))
    .flatMap((file) => readPage(file).rules)
    .flatMap(({ id, source }) => [...source.matchAll(/\bchannel: ([\w-]+)/gu)].map(([, channel = '']) => ({ id, channel })));

  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ channel }) => !channels.has(channel))).toEqual([]);
});

test('the second rule of the guide has no errors and no warnings', () => {
  const [, rule = ''] = /^```yaml second\n([^]*?)^```$/mu.exec(readFileSync('docs/guides/simulate-on-sandbox.md', 'utf8')) ?? [];

  expect(rule).toContain('id: watch-clips');
  expect(checkBlock(rule).diagnostics).toEqual([]);
});

test('the sandbox accepts the requests of guides and of the tutorial', async () => {
  await using sandbox = await startSandbox();
  const pages = ['guides/simulate-on-sandbox', 'guides/follower-milestone', 'guides/unknown-delivery', 'tutorial'].map((page) =>
    readFileSync(`docs/${page}.md`, 'utf8'),
  );
  const commands = pages.flatMap((text) => [
    ...text.replaceAll(' \\\n  ', ' ').matchAll(/^(?:(?<name>\w+)=\$\()?(?<command>curl .*127\.0\.0\.1:8081(?<path>[^'\s]*).*)$/gmu),
  ]);

  const statuses: (readonly [command: string, status: number])[] = [];
  const values: Record<string, string> = {};
  for (const { groups: { name, command: written = '', path = '' } = {} } of commands) {
    const command = written
      .replace(/'\$\(node -p '[^']*'\)'/u, new Date(Date.now() + 30 * 60_000).toISOString())
      .replaceAll(/'\$(\w+)'/gu, (_, variable: string) => values[variable] ?? '')
      .replace(/"broadcastId":"\d+"/u, `"broadcastId":"${values['broadcastId']}"`);
    const [, body] = /-d '([^']*)'/u.exec(command) ?? [];
    const [, method = body === undefined ? 'GET' : 'POST'] = /-X (\w+)/u.exec(command) ?? [];
    const headers = {
      'content-type': 'application/json',
      ...(command.includes('Bearer $token') && { authorization: `Bearer ${values['token']}` }),
    };
    const to = path.replace('$post', values['post'] ?? '');
    const answer = await fetch(sandbox.url + to, { method, headers, ...(body !== undefined && { body }) });
    statuses.push([command, answer.status]);
    const text = await answer.text();
    // As `cut -d '"' -f 4`.
    if (name !== undefined) values[name] = text.split('"')[3] ?? '';
    const [, broadcastId] = /"broadcastId":"(\d+)"/u.exec(text) ?? [];
    if (broadcastId !== undefined) values['broadcastId'] = broadcastId;
  }

  expect(statuses.length).toBeGreaterThan(20);
  expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
});
