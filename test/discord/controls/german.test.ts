import { expect, test } from 'vitest';
import type { MessageView } from '#sandbox/discord/control/message-view.ts';
import { isJsonList, isJsonObject, type Json } from '#src/clients/operation/json.ts';
import { eventually } from '../../support/fanfare-process.ts';
import { englishIn } from '../../support/reasons.ts';
import { type ControlsFixture, idOf, openControls } from './fixture.ts';

const WATCH = 'every: 5s, watch: streaming.getStreams, with: { users: [ada] }';
const FILES = {
  'karte.yaml': `id: karte
when: { ${WATCH}, settle: 0s, grace: 15s }
fuse: { firings: 200, per: 1h }
then:
  - { id: karte, do: discord.send, with: { channel: live, content: "\${{ item.owner.displayName }}!" } }
  - { id: leer, do: discord.send, if: item.viewerCount < 0, with: { channel: live, content: "?" } }
  - { id: nirgends, do: discord.send, with: { channel: kanal-den-es-nicht-gibt, content: "?" } }
`,
  'streng.yaml': `id: streng
when: { ${WATCH}, where: "item.viewerCount > 1000000000" }
then:
  - { id: karte, do: discord.send, with: { channel: live, content: "!" } }
`,
  'still.yaml': `id: still
when: { ${WATCH}, settle: 0s }
if: item.viewerCount > 1000000000
then:
  - { do: discord.send, with: { channel: live, content: "!" } }
`,
  'karte.test.yaml': `rule: karte
start: 2027-01-01T00:00:00Z
cases:
  - it: ruft
    polls: [{ at: 0m, items: [] }, { at: 1m, items: [{ key: ada, viewerCount: 5 }] }]
    expect: [{ at: 1m, do: discord.send, with: { content: Hallo } }, { at: 2m, do: discord.send, with: { content: Tschau } }]
`,
};

/** All that a message shows, as its reader sees it: without fences, backslashes and addresses. */
function read({ content, embeds }: Pick<MessageView, 'content' | 'embeds'>): string {
  const text = [content, ...embeds.flatMap(textsIn)].join('\n');
  return text
    .replaceAll('```', '')
    .replaceAll(/\\(.)/gu, '$1')
    .replaceAll(/\/\S+\/|https?:\S+/gu, '');
}

function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, part]) => (key === 'type' || key === 'url' ? [] : textsIn(part))) : [];
}

async function answered(fixture: ControlsFixture, command: string, options: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = idOf(await fixture.german.command(command, options));
  const message = await eventually('an answer', async () => {
    const found = await fixture.reload(id);
    return (found.content !== '' || found.embeds.length > 0) && found;
  });
  return read(message);
}

test('reasons of rules, previews, tests and deliveries are in German for German users', async () => {
  await using fixture = await openControls({ files: FILES, orders: [{ do: 'end', user: 'ada' }] });
  await eventually('looks', () =>
    fixture.keep(async ({ ruleStates }) => {
      const states = await Promise.all(['karte', 'streng', 'still'].map((rule) => ruleStates.load(rule)));
      return states.every(({ memory }) => memory.lastPollMs !== undefined);
    }),
  );
  fixture.order({ do: 'goLive', user: 'ada', title: 'Endspiele' });
  await eventually('what becomes of all steps', () =>
    fixture.keep(async ({ deliveryLog }) => {
      const { items } = await deliveryLog.list({ rule: 'karte' });
      return ['sent', 'skipped', 'failed'].every((state) => items.some((one) => one.state === state));
    }),
  );
  await eventually('a refusal', () =>
    fixture.keep(async ({ decisions }) =>
      // Another streamer may be live at the first poll.
      (await decisions.list({ rule: 'still', outcome: 'suppressed' })).items.some(({ reason }) => reason?.kind === 'opened'),
    ),
  );

  await eventually('somebody who does not fit', () =>
    fixture.keep(async ({ decisions }) =>
      (await decisions.list({ rule: 'streng' })).items.some(
        ({ reason }) => reason?.kind === 'filteredOut' || (reason?.kind === 'unchanged' && reason.filteredOut),
      ),
    ),
  );

  const why = await answered(fixture, 'automation warum', { regel: 'karte' });
  const strict = await answered(fixture, 'automation warum', { regel: 'streng' });
  const silent = await answered(fixture, 'automation warum', { regel: 'still' });
  const preview = await answered(fixture, 'automation vorschau', { regel: 'karte' });
  const nothing = await answered(fixture, 'automation vorschau', { regel: 'still' });
  const testing = await answered(fixture, 'automation testen', { regel: 'karte' });
  const deliveries = await answered(fixture, 'zustellungen', { regel: 'karte' });
  const list = await answered(fixture, 'automation liste');
  const status = await answered(fixture, 'status');
  const items = await fixture.german.type('automation warum', { regel: 'still', eintrag: '' });

  expect(why).toMatch(/gemeldet\*\*: Ada ist live mit \d+ Zuschauern?/u);
  expect(strict).toMatch(
    /(?:passt|passen) nicht zu „where“: .*: item\.viewerCount > 1000000000 trifft nicht zu \(item\.viewerCount ist \d+\)/u,
  );
  expect(silent).toMatch(/Ada ist live mit \d+ Zuschauern?, nicht gemeldet: if: item\.viewerCount > 1000000000 trifft nicht zu/u);
  expect(preview).toMatch(/Ada geht live.*leer.*Ausgelassen: if: item\.viewerCount < 0 trifft nicht zu/su);
  expect(nothing).toMatch(/Ada geht live.*Nicht gemeldet: Ada ist live/su);
  expect(testing).toMatch(
    /anders .*1m discord\.send .*erwartet "Hallo".*fehlt .*2m discord\.send.*Entscheidungen der Regel:.*gemeldet: ada ist live/su,
  );
  expect(deliveries).toMatch(/leer.*if: item\.viewerCount < 0 trifft nicht zu \(item\.viewerCount ist \d+\)/su);
  expect(deliveries).toMatch(/nirgends.*dort nicht gefunden \(„/su);
  expect(items.some(({ name }) => name.startsWith('Ada ist live'))).toBe(true);
  const answers = [why, strict, silent, preview, nothing, testing, deliveries, list, status];
  expect(answers.filter((answer) => englishIn(answer) !== undefined)).toEqual([]);
  expect(
    await fixture.keep(async ({ decisions }) => (await decisions.list({ rule: 'still', outcome: 'suppressed' })).items[0]?.message),
  ).toMatch(/^Ada is live with \d+ viewers?, not announced: if: item\.viewerCount > 1000000000 is false/u);
});
