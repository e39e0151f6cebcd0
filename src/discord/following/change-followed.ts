import type { BaseInteraction } from 'discord.js';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { ListEdited } from '#src/admin/actions/list-actions.ts';
import { channelLink } from '#src/admin/queries/find-streamers.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { UserError } from '#src/errors.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { memberActor } from '#src/discord/actor.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import type { Suggestion } from '#src/discord/command.ts';
import { layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { beginningOf } from '#src/discord/text/untrusted-text.ts';
import { assertRestorable } from './assert-restorable.ts';
import { entryNamed } from './entries-named.ts';
import { followedOf, platformsOf, shownName, type FollowingParts } from './follow.ts';
import { handlesOf, isPaused, nameOf } from './followed-list.ts';

const MOST_CHARACTERS = 1_000;
const MOST_NAME = 40;

export interface ChangeFollowedParts extends FollowingParts {
  readonly controls: FollowingParts['controls'] & Pick<Actions, 'configureServer'>;
}

/** The command whose button takes a change back. */
type UndoCommand = 'follow' | 'automation';

/** Removes entries of the caller's server. */
export async function removeFollowed(
  entries: readonly ListEntry[],
  command: UndoCommand,
  caller: Caller,
  { controls }: Pick<FollowingParts, 'controls'>,
): Promise<Layout> {
  const { following: texts } = caller.texts;
  const ids = [...new Set(entries.map(({ id }) => id))];
  if (ids.length === 0) return layout([textBlock(texts.empty)]);
  const removed = await controls.removeListEntries({ list: FOLLOWED, server: requireServer(caller), entries: ids }, memberActor(caller));
  const names = beginningOf(entries.map(shownName).join(', '), MOST_CHARACTERS);
  return layout([textBlock(texts.title.removed(ids.length), names, texts.removedNext), undoRow(removed, command, caller)]);
}

/** Takes a change of the list back. */
export async function undoFollowed(
  change: string,
  interaction: Pick<BaseInteraction, 'client'>,
  caller: Caller,
  { controls, lists, clock }: Pick<FollowingParts, 'controls' | 'lists' | 'clock'>,
): Promise<Layout> {
  const { following: texts } = caller.texts;
  const found = await lists.findChange(change);
  // The action refuses changes of other servers.
  if (found?.server === requireServer(caller)) await assertRestorable(found, { interaction, caller, clock });
  await controls.undoListChange({ change }, memberActor(caller));
  return layout([textBlock(texts.title.undone, texts.undoneNext(Object.keys(found?.before ?? {}).length))]);
}

/** Pauses the announcements of one entry, or resumes them. */
export async function pauseFollowed(
  entry: ListEntry,
  isOff: boolean,
  caller: Caller,
  { controls }: Pick<FollowingParts, 'controls'>,
): Promise<Layout> {
  const { following: texts } = caller.texts;
  const title = isOff ? texts.title.streamerOff(shownName(entry)) : texts.title.streamerOn(shownName(entry));
  if (isPaused(entry) === isOff) return layout([textBlock(title)]);
  const fields = { paused: isOff || null };
  const changed = await controls.changeListEntry(
    { list: FOLLOWED, server: requireServer(caller), entry: entry.id, fields },
    memberActor(caller),
  );
  return layout([textBlock(title, isOff ? texts.offNext : texts.onNext), undoRow(changed, 'automation', caller)]);
}

/** Turns the announcements of all streamers of the caller's server off or on. */
export async function switchFollowed(isOff: boolean, caller: Caller, parts: ChangeFollowedParts): Promise<Layout> {
  const { following: texts } = caller.texts;
  const server = requireServer(caller);
  if (!(await parts.storedServers.find(server))) throw new UserError(texts.noChannel);
  await parts.controls.configureServer({ server, announcements: isOff ? 'off' : '' }, memberActor(caller));
  const entries = await followedOf(caller, parts);
  const pausedCount = entries.filter(isPaused).length;
  const onCount = entries.length - pausedCount;
  const { title, buttons } = texts;
  const next = isOff ? texts.offNext : onCount > 0 && texts.onNext;
  return layout([
    textBlock(
      isOff ? title.off(entries.length) : title.on(onCount),
      entries.length === 0 ? texts.empty : next,
      !isOff && pausedCount > 0 && texts.stillPaused(pausedCount),
    ),
    row(isOff ? button('automation:switch:on', buttons.enable) : button('automation:switch:off', buttons.disable)),
  ]);
}

/** What a member chose in the options of a command. */
export interface ChosenFollowed {
  /** The entries of the caller's server. */
  readonly all: readonly ListEntry[];
  /** The chosen one; absent: all are meant. */
  readonly entry?: ListEntry | undefined;
}

/** Finds what a member chose. Rules in files are for the operator of the bot. */
export async function chooseFollowed(
  { rule, streamer }: { readonly rule: string; readonly streamer: string | undefined },
  caller: Caller,
  parts: ChangeFollowedParts,
): Promise<ChosenFollowed> {
  if (rule.trim() !== FOLLOWED) throw new UserError(caller.texts.following.onlyFollowed);
  const all = await followedOf(caller, parts);
  return { all, entry: streamer === undefined ? undefined : await entryNamed(streamer, all, caller, parts) };
}

/** Suggests streamers of the caller's server by their names and handles. Equal names are shown with the links of the channels. */
export async function suggestFollowed(
  typed: string,
  caller: Caller,
  parts: Pick<FollowingParts, 'lists' | 'streaming'>,
  isMeant: (entry: ListEntry) => boolean = () => true,
): Promise<readonly Suggestion[]> {
  const wanted = typed.trim().toLowerCase();
  const platforms = platformsOf(parts);
  const known = (await followedOf(caller, parts)).map((entry) => {
    const links = handlesOf(entry, platforms).map(([platform, handle]) => channelLink(platform, handle));
    return { entry, name: nameOf(entry), links: links.join(', ') };
  });
  const namesakes = Map.groupBy(known, ({ name }) => name.toLowerCase());
  return known
    .filter(({ entry, name, links }) => isMeant(entry) && `${entry.id} ${name} ${links}`.toLowerCase().includes(wanted))
    .map(({ entry, name, links }) => {
      const isUnique = namesakes.get(name.toLowerCase())?.length === 1 || links === '';
      return { name: isUnique ? name : `${cutLabel(name, MOST_NAME)} · ${links}`, value: entry.id };
    });
}

function undoRow({ change }: ListEdited, command: UndoCommand, { texts }: Caller) {
  return change && row(button(`${command}:undo:${change.id}`, texts.following.buttons.undo));
}
