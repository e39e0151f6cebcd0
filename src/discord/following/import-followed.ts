import type { BaseInteraction } from 'discord.js';
import { isMap, parseDocument, stringify } from 'yaml';
import { checkList } from '#src/rules/check/check-list.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { memberActor } from '#src/discord/actor.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import { layout, row, textBlock } from '#src/discord/layout.ts';
import { beginningOf } from '#src/discord/text/untrusted-text.ts';
import { isPaused, targetOf } from './followed-list.ts';
import { withKnownIds } from './known-ids.ts';
import {
  follow,
  followedOf,
  nextText,
  platformsOf,
  shownName,
  stopOf,
  withoutChannel,
  type Followed,
  type FollowingParts,
} from './follow.ts';
import { assertOwnEntries } from './own-fields.ts';

const MOST_CHARACTERS = 1_000;
const LONGEST_BEGINNING = 4_000;

/** Adds the streamers of a text: an export of this or another server, or names. */
export async function importFollowed(
  text: string,
  interaction: Pick<BaseInteraction, 'client'>,
  caller: Caller,
  parts: FollowingParts,
): Promise<Followed> {
  const { following: texts } = caller.texts;
  if (!isList(text)) return follow(text, {}, caller, parts);
  const { entries: imported } = checkList({ file: 'followed.yaml', source: text });
  const server = requireServer(caller);
  const settings = await parts.storedServers.find(server);
  const refused = Object.values(imported ?? {}).some(({ channel }) => channel === undefined) && withoutChannel(settings, caller);
  if (refused) return { message: refused, isRefused: true };
  await assertOwnEntries(imported ?? {}, interaction, caller);
  const source = imported ? stringify(withKnownIds(imported, await followedOf(caller, parts), platformsOf(parts))) : text;
  const input = { list: FOLLOWED, server, source, mode: 'merge' as const };
  const { change, entries } = await parts.controls.importList(input, memberActor(caller));
  // Entries that the list had before may be changed or equal.
  const { before = {} } = change ?? {};
  const written = entries.filter(({ id }) => Object.hasOwn(before, id));
  const added = written.filter(({ id }) => before[id] === null);
  const changed = written.filter(({ id }) => before[id] !== null);
  const namesOf = (some: readonly ListEntry[]): string => beginningOf(some.map(shownName).join(', '), MOST_CHARACTERS);
  const paused = written.filter(isPaused);
  const targets = new Set(written.filter((entry) => !isPaused(entry)).map(({ fields }) => nextText(targetOf(fields, settings), caller)));
  const next = [...(targets.size === 1 ? targets : []), ...(paused.length > 0 ? [`${texts.paused}: ${namesOf(paused)}`] : [])].join('\n');
  const note = written.length === 0 ? texts.unchanged : ((await stopOf(settings, caller, parts)) ?? next);
  return {
    message: layout([
      textBlock(added.length > 0 ? texts.title.followed(added.length) : texts.title.none, namesOf(added)),
      changed.length > 0 && textBlock(texts.changed(namesOf(changed))),
      note !== '' && textBlock(note),
      change && row(button(`follow:undo:${change.id}`, texts.buttons.undo)),
    ]),
    first: added[0] ?? changed[0],
  };
}

/** Whether a text is YAML with the fields of entries, even if it has errors. Names and links are not. Its beginning shows it. */
function isList(text: string): boolean {
  const { contents } = parseDocument(text.slice(0, LONGEST_BEGINNING), { logLevel: 'silent' });
  return isMap(contents) && contents.items.some(({ value }) => isMap(value));
}
