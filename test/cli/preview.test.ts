import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fetch } from 'undici';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openPreviewer } from '#src/app/open-previewer.ts';
import { forSentences } from '#src/cli/format.ts';
import { preview } from '#src/cli/preview.ts';
import type { Previewer } from '#src/engine/simulation/preview/preview-view.ts';
import { startSandbox } from '#sandbox/index.ts';
import { rulesOf } from '../support/rule-language.ts';
import { freePort, getJson } from '../support/fanfare-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collectLines, exitCodeOf } from './collect-lines.ts';

const Requests = z.object({ items: z.array(z.object({ platform: z.string(), method: z.string(), route: z.string() })) });

const TOP = `id: top
when:
  every: 5m
  watch: streaming.getGameStreams
  with: { game: VALORANT }
  where: item.viewerCount >= 1
  take: 5
  settle: 10m
cooldown: 6h
quiet: { from: "00:00", to: "23:59", then: hold }
then:
  - { id: who, do: streaming.getUser, with: { user: "\${{ item.owner.handle }}" } }
  - wait: 10m
  - id: card
    do: discord.send
    with:
      channel: live
      content: "\${{ steps.who.displayName }} is #\${{ item.rank }}: \${{ vars.long }}"
      mention: [Live]
  - { do: discord.react, if: item.viewerCount < 0, with: { message: "\${{ steps.card.id }}", emoji: "🎉" } }
  - { do: social.createPost, with: { text: "See \${{ steps.card.url }} @friend" } }
while:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "\${{ item.viewerCount }} watch" } }
finally:
  - { do: discord.edit, with: { message: "\${{ steps.card.id }}", content: "over after \${{ duration(episode.lengthMs) }}" } }
vars: { long: "${'so long '.repeat(300)}" }
`;

/** The world starts some streams itself, so a stream starts before it ends. */
async function endStream(url: string, user: string): Promise<void> {
  for (const order of ['goLive', 'end']) {
    const body = JSON.stringify({ do: order, user });
    await fetch(`${url}/control/world`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  }
}

/** The output of `preview`, and the requests that may have written something. */
async function previewed(
  rules: Readonly<Record<string, string>>,
  { rule, items = '3', ends }: { readonly rule: string; readonly items?: string; readonly ends?: string },
): Promise<{ readonly code: number; readonly text: string; readonly writes: readonly string[]; readonly leftBehind: boolean }> {
  using folder = temporaryFolder();
  await using sandbox = await startSandbox();
  if (ends !== undefined) await endStream(sandbox.url, ends);
  await mkdir(join(folder.path, 'rules'));
  for (const [file, text] of Object.entries(rules)) await writeFile(join(folder.path, 'rules', file), text);
  const data = join(folder.path, 'data');
  const environment = { ...sandbox.environment, FANFARE_RULES: join(folder.path, 'rules'), FANFARE_DATA: data };
  const { out, text } = collectLines();
  const open = (): ReturnType<typeof openPreviewer> => openPreviewer({ environment, write: (line) => out.printError(line) });
  const code = await exitCodeOf(preview({ openPreviewer: open, rule, items, out }), out);
  const seen = Requests.parse(await getJson(`${sandbox.url}/control/requests`));
  const writes = seen.items
    .filter(({ method, route }) => method !== 'GET' && !route.endsWith('/token'))
    .map(({ method, route }) => `${method} ${route}`);
  return { code, text: text(), writes, leftBehind: existsSync(data) };
}

describe('preview', () => {
  test('shows the text, length and pings of each step, the reasons of skipped steps, and writes nothing', async () => {
    const { code, text, writes, leftBehind } = await previewed({ 'top.yaml': TOP }, { rule: 'top', items: '2' });

    expect({ code, writes, leftBehind }).toEqual({ code: 0, writes: [], leftBehind: false });
    const [head, ...scenes] = text.split('\n\n');
    expect(head).toMatch(/^top {2}\nstreaming\.getGameStreams through twitch: \d+ items read, 5 match this rule\.\n/);
    expect(head).toContain('Shown as if each event happened now.');
    expect(head).toContain('The preview ignores settle, cooldown, quiet: a message can come later, or not at all.');
    expect(scenes.map((scene) => /^\S+ (.*)/.exec(scene)?.[1])).toEqual([
      'enters the list',
      'enters the list',
      'is still there',
      'is gone',
      'was sent. Ids and links of messages are examples.',
    ]);
    const [first = '', , still, gone] = scenes;
    expect(first).toMatch(/who: streaming\.getUser through twitch \(read now\)/);
    expect(first).toMatch(
      /card after 10m: discord\.send through discord → #live\n +│ \S+ is #1: so long .*…\s*\n +content 197\d of 2000 · pings Live\n +cut: the text has 24\d\d characters, and the limit is 1975 beside the pings/,
    );
    expect(first).toMatch(
      /step 4 after 10m: discord\.react through discord\n +skipped: if: item\.viewerCount < 0 is false: item\.viewerCount is [\d,]+/,
    );
    expect(first).toMatch(
      /step 5 after 10m: social\.createPost through sandbox\n +│ See https:\/\/example\.invalid\/card @friend\n +text 40 of 500 · pings @friend/,
    );
    expect(still).toMatch(/while step 1: discord\.edit through discord → the message card\n +│ \d+ watch/);
    expect(gone).toMatch(/finally step 1: discord\.edit through discord → the message card\n +│ over after /);
  });

  test.for([['mention: ["${{ PING }}"]'], ['mention: "${{ [PING] }}"'], ['mention: ["${{ it }}"]', 'forEach: "${{ [PING] }}", ']] as const)(
    'names a mention of all members that is left out, because a text of the platform has it: %s',
    async ([mention, forEach = '']) => {
      const ping = (text: string): string => text.replace('PING', "item.title == '' ? item.title : 'everyone'");
      const step = `{ ${ping(forEach)}do: discord.send, with: { channel: live, content: hi, ${ping(mention)} } }`;
      const rule = `id: top
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 5 }
then: [${step}]
`;

      const { text } = await previewed({ 'top.yaml': rule }, { rule: 'top', items: '1' });

      expect(text).toMatch(/│ hi\n.*\n +sent without the mention everyone: it is a text of the platform, which never pings all members/);
    },
  );

  test.for([
    { change: 'left', shows: /leaves$/m },
    { change: 'moved', shows: /moves$/m },
    { change: '{ changed: [title] }', shows: /changes$/m },
    { change: '{ rose: { field: viewerCount, above: 1 } }', shows: /rises$/m },
    { change: '{ fell: { field: viewerCount, below: 9000000 } }', shows: /falls$/m },
  ])('shows the announcement of the change $change', async ({ change, shows }) => {
    const rule = `id: top
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 5, settle: 10m, changes: [${change}] }
then: [{ do: discord.send, with: { channel: live, content: "\${{ change.kind }} \${{ change.previous.title }}" } }]
`;

    const { text } = await previewed({ 'top.yaml': rule }, { rule: 'top', items: '1' });

    expect(text).toMatch(shows);
    expect(text).toMatch(/│ (left|moved|changed|rose|fell) \S/);
  });

  test('shows why an item is not announced, and rules that fire for the whole list', async () => {
    const refusing = `id: none
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, where: item.viewerCount > 5000000 }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
    const board = `id: board
when: { cron: "0 18 * * *", watch: streaming.getGameStreams, with: { game: VALORANT }, take: 3, per: slot }
then: [{ do: discord.put, with: { name: board, channel: live, content: "\${{ items.map(i, string(i.rank)).join(' ') }}" } }]
`;
    const gated = `id: gated
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 1, settle: 10m }
if: item.viewerCount < 0
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
    const digest = `id: digest
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 2, settle: 10m }
quiet: { from: "23:00", to: "08:00", then: [{ do: discord.send, with: { channel: live, content: "\${{ held.map(h, string(h.item.rank)).join(' and ') }} came" } }] }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
while: [{ do: discord.react, if: episode.polls % 3 == 0, with: { message: x/1, emoji: "🎉" } }]
`;
    const rules = { 'digest.yaml': digest, 'none.yaml': refusing, 'board.yaml': board, 'gated.yaml': gated };

    const [none, whole, refused] = [
      await previewed(rules, { rule: 'none' }),
      await previewed(rules, { rule: 'board' }),
      await previewed(rules, { rule: 'gated' }),
    ];
    const night = await previewed(rules, { rule: 'digest', items: '2' });

    expect(none.text).toMatch(/100 items read, 0 match this rule\.\n {2}\S+ does not match: .*item\.viewerCount is [\d,]+/);
    expect(none.text).toContain('Nothing to announce.');
    expect(whole.text).toMatch(/At each poll\n {2}step 1: discord\.put through discord → #live, the message board\n +│ 1 2 3\n/);
    expect(night.text).toMatch(/is still there\n {2}while step 1: discord\.react/);
    expect(night.text).toMatch(/When the quiet hours end\n {2}quiet step 1: discord\.send through discord → #live\n +│ 1 and 2 came/);
    expect(refused.text).toMatch(/enters the list: \S+ is #1 with .*, not announced: if: item\.viewerCount < 0 is false/);
  });

  test('names the users that the platform does not have, instead of an example item', async () => {
    const rule = (users: string): string => `id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [${users}] } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;
    const none = await previewed({ 'live.yaml': rule('mychannel') }, { rule: 'live' });
    const some = await previewed({ 'live.yaml': rule('mychannel, "@Ada", grace, linus') }, { rule: 'live' });

    const message = 'There is no user mychannel on twitch. Correct the name in the rule.';
    expect(none.text).toContain(`0 items read, 0 match this rule.\n${message}\n\nNothing to announce.`);
    expect(some.text.match(/There is no user .*/g)).toEqual([message]);
    expect(some.text).toContain('goes live');
  });

  test('names each account that does not have a user', async () => {
    const rule = `id: live
when: { every: 1m, watch: streaming.getStreams, account: [twitch, kick], with: { users: [mychannel] } }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;

    const { text } = await previewed({ 'live.yaml': rule }, { rule: 'live' });

    expect(text.match(/There is no user mychannel on \w+/g)).toEqual([
      'There is no user mychannel on twitch',
      'There is no user mychannel on kick',
    ]);
  });

  test('shows a rule that is off and names accounts that are not connected', async () => {
    const rule = `id: off
enabled: false
when: { every: 1h }
then: [{ do: social.createPost, as: [x, mastodon], with: { text: hi } }]
`;
    const { code, text } = await previewed({ 'off.yaml': rule }, { rule: 'off' });

    expect(text).toContain('social.createPost through mastodon');
    expect(code).toBe(0);
  });

  test('uses an example item if the list is empty', async () => {
    const live = `id: live
when: { every: 1m, watch: streaming.getStreams, with: { users: [ada] }, where: item.viewerCount > 10 }
then: [{ do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }} is live" } }]
`;

    const { text } = await previewed({ 'live.yaml': live }, { rule: 'live', ends: 'ada' });

    expect(text).toContain('0 items read, 0 match this rule.\nThe preview uses an example item.');
    expect(text).toMatch(/goes live\n {2}step 1: discord\.send through discord → #live\n +│ \S+ is live/);
  });

  test('warns about a channel that does not exist', async () => {
    const rule = `id: slots
when: { every: 5m }
then: [{ do: discord.send, with: { channel: guides-x, content: hi } }, { do: discord.send, with: { channel: live, content: hi } }]
`;

    const { text, writes } = await previewed({ 'slots.yaml': rule }, { rule: 'slots' });

    expect(text.match(/problem in Discord: .*guides-x/g)).toHaveLength(1);
    expect(writes).toEqual([]);
  });

  test('shows the names of events, threads and channels, and only a standing message as a target', async () => {
    const rule = `id: named
when: { every: 5m }
then:
  - do: discord.createEvent
    with: { name: The finale, startsAt: "\${{ string(now + duration('1h')) }}", endsAt: "\${{ string(now + duration('2h')) }}", location: Twitch }
  - { do: discord.thread, with: { channel: live, name: How it goes } }
  - { do: discord.editChannel, with: { channel: lounge, name: Live now } }
  - { do: discord.put, with: { name: board, channel: live, content: hi } }
`;

    const { text } = await previewed({ 'named.yaml': rule }, { rule: 'named' });

    expect(text).toContain('│ name: The finale\n');
    expect(text).toMatch(/discord\.thread through discord → #live\n.*│ name: How it goes\n/);
    expect(text).toMatch(/discord\.editChannel through discord → #lounge\n.*│ name: Live now\n/);
    expect(text).toMatch(/discord\.put through discord → #live, the message board\n.*│ hi\n/);
  });

  test('shows why a step that reads a record is not sent if the platform does not have the record', async () => {
    const rule = `id: lost
when: { every: 5m }
then:
  - { id: who, do: streaming.getUser, with: { user: nobody-of-this-name } }
  - { do: discord.send, with: { channel: live, content: "Live: \${{ steps.who.displayName }}" } }
`;

    const { text } = await previewed({ 'lost.yaml': rule }, { rule: 'lost' });

    expect(text).toContain('twitch does not have the record of the look-up who, and this step reads it');
    expect(text).not.toContain('Live: ');
  });

  test('shows the parts without which a message is sent', async () => {
    const rule = `id: bare
when: { every: 5m }
then:
  - { do: discord.send, with: { channel: live, content: hi, mention: [Nobody] } }
  - { do: discord.send, with: { channel: live, content: both, mention: [Live, Nobody] } }
  - { do: social.createPost, with: { text: hi, files: ["http://127.0.0.1:9/none.png"] } }
  - { do: social.createPost, strict: true, with: { text: hi, files: ["http://127.0.0.1:9/none.png"] } }
`;

    const { text } = await previewed({ 'bare.yaml': rule }, { rule: 'bare' });

    expect(text).toContain('sent without mention 1: The Discord server has no role "Nobody".');
    expect(text).toMatch(/│ hi\n.*pings nobody\n(?:.*\n)*.*│ both\n.*pings Live\n/);
    expect(text).toContain('sent without files 1: The file at 127.0.0.1 cannot be attached: it is not a public internet address.');
    expect(text).toContain('fails without files 1: The file at 127.0.0.1 cannot be attached: it is not a public internet address.');
  });

  test('does not warn about the picture of an example item', async () => {
    const rule = `id: bare
when: { every: 5m, watch: streaming.getStreams, with: { users: [ada] } }
then: [{ do: social.createPost, with: { text: hi, files: ["\${{ item.thumbnailUrl }}", "http://127.0.0.1:9/none.png"] } }]
`;

    const { text } = await previewed({ 'bare.yaml': rule }, { rule: 'bare', ends: 'ada' });

    expect(text).toContain('https://example.invalid/');
    expect(text).toContain('sent without files 2');
    expect(text).not.toContain('sent without files 1');
  });

  test('shows that no item is above the threshold', async () => {
    const rule = `id: top
when: { every: 5m, watch: streaming.getGameStreams, with: { game: VALORANT }, take: 1, changes: [{ rose: { field: viewerCount, above: 9000000 } }] }
then: [{ do: discord.send, with: { channel: live, content: hi } }]
`;

    const { text } = await previewed({ 'top.yaml': rule }, { rule: 'top' });

    expect(text).toContain('rises: not announced: no item has viewerCount above 9,000,000 now');
  });

  test('without accounts, reads the running sandbox, or a new one if none is running', async () => {
    using folder = temporaryFolder();
    await mkdir(join(folder.path, 'rules'));
    await writeFile(join(folder.path, 'rules', 'top.yaml'), TOP);
    const shown = async (port: number): Promise<string> => {
      const environment = { FANFARE_RULES: join(folder.path, 'rules'), FANFARE_DATA: join(folder.path, 'data'), PORT: String(port) };
      const { out, text } = collectLines();
      const open = (): ReturnType<typeof openPreviewer> => openPreviewer({ environment, write: (line) => out.printError(line) });
      await preview({ openPreviewer: open, rule: 'top', items: '1', out: forSentences({ ...out, columns: 60 }) });
      return text();
    };
    const port = await freePort();
    let running: string;
    {
      await using sandbox = await startSandbox({ seed: 7, port: port + 1 });
      running = await shown(port);
      const requests = Requests.parse(await getJson(`${sandbox.url}/control/requests`)).items;
      expect(requests.some(({ platform, method }) => platform === 'twitch' && method === 'GET')).toBe(true);
    }
    const alone = await shown(port);

    expect(running).not.toContain('No sandbox');
    expect(alone).toMatch(/uses\s+a\s+new\s+one/u);
    expect(
      alone
        .split('\n')
        .slice(0, 3)
        .filter((line) => line.length > 60),
    ).toEqual([]);
  });

  test('lists the known rules for an unknown id, and the errors for a broken rule', async () => {
    const { code, text } = await previewed({ 'top.yaml': TOP, 'bad.yaml': 'id: bad\nwhen: 5\n' }, { rule: 'bad' });

    expect(code).toBe(1);
    expect(text).toMatch(/bad\.yaml:2:7 error when: /);
    expect(text).toContain(
      'error: no rule without errors has the id bad\n  Rules: top\n  Rules with errors cannot run. The errors are above.',
    );
  });
});

test('the preview of a poll that was read in part names what is missing', async () => {
  const [rule] = rulesOf(
    'id: top\nwhen: { every: 5m, watch: streaming.getTopStreams }\nthen: [{ do: discord.send, with: { channel: live, content: hi } }]\n',
  );
  if (!rule) throw new Error('the source has one rule');
  const partlyFailed = { message: 'not read: ada through twitch (rejected:\u001b[2J no such name)' };
  const view = { rule, read: { partlyFailed, count: 1, counted: 1, isSample: false, excluded: [] }, scenarios: [] };
  const previewer: Previewer = {
    startedSandbox: false,
    preview: () => Promise.resolve({ views: [view], diagnostics: [], names: [] }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const { out, text } = collectLines();

  await preview({ openPreviewer: () => Promise.resolve(previewer), rule: 'top', items: '1', out });

  expect(text()).toMatch(/1 item read, 1 matches this rule\.\nnot read: ada through twitch \(rejected:\S* no such name\)\n/u);
  expect(text()).not.toContain('\u001b');
});
