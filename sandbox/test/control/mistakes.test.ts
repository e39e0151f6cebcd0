import { fetch } from 'undici';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { endpointGroups } from '../../../docs/generator/sandbox/endpoints.ts';
import { startSandbox, type Sandbox } from '../../index.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox[Symbol.asyncDispose]());

async function send(method: string, path: string, body?: string): Promise<readonly [status: number, error: unknown]> {
  const response = await fetch(`${sandbox.url}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });
  const answer = (await response.json()) as { readonly error?: unknown }; // the shape of every refusal
  return [response.status, answer.error];
}

const endpoints = endpointGroups.flatMap(({ endpoints: all }) => all);
const writes = endpoints.filter(({ body }) => body).map(({ method, path }) => [method, path] as const);

describe.each(writes)('%s /control%s', (method, path) => {
  test.each([
    ['{ do: 1 }', 'the body is not JSON: "{ do: 1 }".'],
    ['[1]', 'the body: expected an object, got [1].'],
    ['"goLive"', 'the body: expected an object, got "goLive".'],
    ['null', 'the body: expected an object, got null.'],
  ])('refuses the body %s', async (body, error) => {
    expect(await send(method, path, body)).toEqual([400, error]);
  });

  test('refuses an unknown parameter', async () => {
    expect(await send(method, `${path}?colour=red`, '{}')).toEqual([400, 'colour: unknown parameter. Allowed: none.']);
  });
});

describe('a mistake in an order', () => {
  test.each([
    [
      'an unknown action',
      '/world',
      { do: 'goliv', user: 'ada' },
      'do: unknown action "goliv". Did you mean "goLive"? Allowed: goLive, end, ',
    ],
    ['no action', '/world', { user: 'ada' }, 'do: required. Allowed: goLive, end, changeGame, changeTitle, setViewers.'],
    ['a missing field', '/world', { do: 'changeGame', user: 'ada' }, 'game: required. Expected a text.'],
    [
      'an unknown field',
      '/world',
      { do: 'goLive', user: 'ada', gmae: 'Go' },
      'gmae: unknown field. Did you mean "game"? Allowed: do, user, game, ',
    ],
    [
      'a wrong type',
      '/world',
      { do: 'setViewers', user: 'ada', viewers: 'many' },
      'viewers: expected a whole number of at least 0, got "many".',
    ],
    [
      'a text that is too long',
      '/world',
      { do: 'changeTitle', user: 'ada', title: 'x'.repeat(200) },
      'title: expected a text of at most 140 characters, got a text of 200 characters.',
    ],
    [
      'several mistakes',
      '/world',
      { do: 'setViewers', viewers: -1 },
      'user: required. Expected a text. viewers: expected a whole number of at least 0, got -1.',
    ],
    [
      'an unknown streamer',
      '/world',
      { do: 'goLive', user: 'adda' },
      'user: unknown streamer "adda". Did you mean "ada"? Streamers are, for example, ada, grace, ',
    ],
    [
      'an unknown game',
      '/world',
      { do: 'goLive', user: 'ada', game: 'Ches' },
      'game: unknown game "Ches". Did you mean "Chess"? Allowed: VALORANT, ',
    ],
    ['an unknown stream', '/world', { do: 'goLive', user: 'ada', broadcastId: '12' }, 'broadcastId: ada has had no broadcast 12.'],
    [
      'an unknown platform',
      '/faults',
      { platform: 'twich', kind: 'status' },
      'platform: unknown platform "twich". Did you mean "twitch"? Allowed: twitch, kick, ',
    ],
    [
      'an unknown channel',
      '/discord/messages',
      { user: 'ada', channel: 'lve', content: 'x' },
      'channel: unknown channel "lve". Did you mean "live"? Allowed: stream-news, live, ',
    ],
    [
      'an unknown member',
      '/discord/messages',
      { user: 'adda', channel: 'live', content: 'x' },
      'user: unknown member "adda". Did you mean "ada"? Allowed: ada, grace, ',
    ],
    [
      'the bot as a member',
      '/discord/messages',
      { user: 'Fanfare', channel: 'live', content: 'x' },
      'user: Fanfare is the bot. Name a person: ada, ',
    ],
    [
      'a text that Discord refuses',
      '/discord/messages',
      { user: 'ada', channel: 'live', content: 'x'.repeat(2001) },
      'content: Must be 2000 or fewer in length.',
    ],
    [
      'a reply to no message',
      '/discord/messages',
      { user: 'ada', channel: 'live', content: 'x', replyTo: '1' },
      'replyTo: Unknown message.',
    ],
    [
      'an unknown server',
      '/discord/guild',
      { guild: 'Berlin' },
      'guild: unknown server "Berlin". Did you mean "Berlin Sandbox"? Allowed: Fanfare Sandbox, Berlin Sandbox.',
    ],
    [
      'an unknown message',
      '/discord/threads',
      { user: 'ada', message: '1', name: 'x' },
      'message: no message has the id 1. GET /control/messages lists',
    ],
    [
      'an unknown item of a list',
      '/discord/permissions',
      { channel: 'live', deny: ['SendMessage'] },
      'deny[0]: unknown permission "SendMessage". Did you mean "SendMessages"? ',
    ],
    [
      'a form without its key',
      '/discord/interactions',
      { user: 'ada', message: '1', clik: 'Send' },
      'the body: one of the fields command, menu, click, customId, modal, forgedForm is required. Did you mean "click"?',
    ],
    [
      'two forms at once',
      '/discord/removals',
      { message: '1', channel: 'live' },
      'channel: not possible together with message. An order has one of message, channel.',
    ],
    [
      'a wrong value in an object',
      '/discord/interactions',
      { user: 'ada', channel: 'live', command: 'x', options: { size: [5] } },
      'options.size: expected a text, or a number, or true or false, got [5].',
    ],
    [
      'a list that is too short',
      '/social/groups',
      { title: 'x', members: ['ada'] },
      'members: expected a list of at least 2 items, got ["ada"].',
    ],
    [
      'an unknown account of a list',
      '/social/groups',
      { title: 'x', members: ['ada', 'grase'] },
      'members[1]: unknown account "grase". Did you mean "grace"? ',
    ],
    ['an unknown account', '/x/suspend', { user: 'fanfair' }, 'user: unknown account "fanfair". Did you mean "fanfare"? '],
  ])('names %s', async (_, path, order, error) => {
    const [status, text] = await send('POST', path, JSON.stringify(order));

    expect([status, String(text).slice(0, error.length)]).toEqual([400, error]);
  });

  test.each([
    ['/messages?limit=all', 'limit: expected a whole number from 1 to 1000, got "all".'],
    ['/messages?chanel=live', 'chanel: unknown parameter. Did you mean "channel"? Allowed: guild, channel, cursor, limit.'],
    ['/events?since=yesterday', 'since: expected an instant such as 2026-11-20T18:00:00Z, got "yesterday".'],
    ['/requests?platform=kik', 'platform: unknown platform "kik". Did you mean "kick"? Allowed: twitch, kick, '],
    ['/discord/interactions/1', 'interaction: no interaction of the last 15 minutes has the id 1.'],
  ])('names the mistake in GET /control%s', async (path, error) => {
    const [status, text] = await send('GET', path);

    expect([status, String(text).slice(0, error.length)]).toEqual([400, error]);
  });
});

test('mistakes do not change the world', async () => {
  const before = sandbox.world.findPerson('ada');

  await send('POST', '/world', JSON.stringify({ do: 'goLive', user: 'ada', game: 'Ches', title: 'Mistaken' }));

  const live = sandbox.world.liveAt(sandbox.clock.nowMs()).filter(({ person }) => person === before);
  expect(live.map(({ title }) => title)).not.toContain('Mistaken');
});

test('an empty body is an empty order', async () => {
  expect(await send('POST', '/kick/revoke', '')).toEqual([200, undefined]);
  expect(await send('POST', '/social/sessions', '')).toEqual([400, 'user: required. Expected a text.']);
});
