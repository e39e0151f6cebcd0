import type { Actions } from '#src/admin/actions/actions.ts';
import type { ListChange } from '#src/admin/actions/list-store.ts';
import type { OperatorQueries } from '#src/admin/queries/operator-queries.ts';
import type { ListQueries } from '#src/admin/queries/lists.ts';
import type { StreamingClient } from '#src/admin/queries/lookup-clients.ts';
import type { ServerSettings, ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import type { Json } from '#src/clients/operation/json.ts';
import { cutLabel } from '#src/clients/operation/text/characters.ts';
import { PlatformError, UserError } from '#src/errors.ts';
import type { Stream } from '#src/clients/streaming/records.ts';
import { MOST_ENTRIES } from '#src/rules/grammar/list-file.ts';
import { FOLLOWED, type ListEntry } from '#src/rules/lists.ts';
import { freeEntryId } from '#src/rules/people/entry-account.ts';
import { memberActor } from '#src/discord/actor.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import { shortId } from '#src/discord/controls/find-rule.ts';
import { titleOf, type Accounts } from '#src/discord/lookups/accounts.ts';
import type { References } from '#src/discord/lookups/lookup-command.ts';
import { layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { figure, numeral } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { askForPlatform, type FollowOptions } from './choose-platform.ts';
import { findStreamers, readNames, type FoundStreamer, type TypedName } from '#src/admin/queries/find-streamers.ts';
import { channelText, fieldsOf, nameOf, pingText, shown, targetOf } from './followed-list.ts';
import { knownLines, splitKnown, type Person } from './known-people.ts';
import type { NameLimit } from './name-limit.ts';

/** How many names one message can have: platforms are asked for each of them. */
export const MOST_NAMES = 100;
const MOST_LINES = 20;
const MOST_ANNOUNCE_BUTTONS = 3;
const MAX_LABEL = 80;
/** The longest words of a filter, in characters. */
export const MOST_WORDS = 200;

export interface FollowingParts {
  readonly clock: Clock;
  readonly controls: Pick<Actions, 'addListEntries' | 'changeListEntry' | 'removeListEntries' | 'importList' | 'undoListChange'> &
    Pick<OperatorQueries, 'rules'>;
  readonly lists: Pick<ListQueries, 'list' | 'findChange'>;
  readonly storedServers: Pick<ServerStore, 'find'>;
  readonly streaming: Accounts<StreamingClient>;
  readonly references: References;
  readonly limitNames: NameLimit;
}

/** The entries of the caller's server. */
export async function followedOf(caller: Caller, { lists }: Pick<FollowingParts, 'lists'>): Promise<readonly ListEntry[]> {
  return (await lists.list({ list: FOLLOWED, server: requireServer(caller) }))?.entries ?? [];
}

/** Why nothing is announced in a server now; undefined: it is, or the rule starts with the first streamer. */
export async function stopOf(
  settings: Pick<ServerSettings, 'announcements'> | undefined,
  { texts: { following } }: Pick<Caller, 'texts'>,
  { controls }: Pick<FollowingParts, 'controls'>,
): Promise<string | undefined> {
  if (settings?.announcements === 'off') return following.off;
  const rule = (await controls.rules()).find(({ id }) => id === FOLLOWED);
  return rule && (!rule.on || rule.paused) ? following.noRule : undefined;
}

/** What was added to the list of a server. */
export interface Followed {
  /** The answer to the command: the next steps, or the reason that nothing was added. */
  readonly message: Layout;
  /** The first new entry. */
  readonly first?: ListEntry | undefined;
  /** Whether nothing was read of what the person typed, who needs the text again. */
  readonly isRefused?: true;
}

/** Adds streamers to the list of the caller's server. */
export async function follow(text: string, options: FollowOptions, caller: Caller, parts: FollowingParts): Promise<Followed> {
  const { following: texts } = caller.texts;
  const server = requireServer(caller);
  const names = readNames(text);
  if (names.length === 0) throw new UserError(texts.noNames);
  if (names.length > MOST_NAMES) throw new UserError(texts.tooMany(MOST_NAMES));
  const settings = await parts.storedServers.find(server);
  const refused = options.channel === undefined && withoutChannel(settings, caller);
  if (refused) return { message: refused, isRefused: true };
  parts.limitNames(names.length, caller);
  const found = await findStreamers(names, { streaming: parts.streaming, signal: caller.signal });
  const accounts = found.filter((one) => one.kind === 'found');
  return addFound(
    accounts.map((one) => [one] as const),
    found,
    { ...options, settings },
    caller,
    parts,
  );
}

/** The answer if the server has no channel for announcements yet; undefined: it has one. */
export function withoutChannel(settings: ServerSettings | undefined, caller: Caller): Layout | undefined {
  return settings?.channel === undefined ? refusal([caller.texts.following.noChannel], caller) : undefined;
}

/** Adds one person with the accounts of the chosen platforms. */
export async function followOn(
  handle: string,
  platforms: readonly string[],
  options: FollowOptions,
  caller: Caller,
  parts: FollowingParts,
): Promise<Followed> {
  const names: readonly TypedName[] = platforms.map((platform) => ({ typed: handle, handle, platform }));
  parts.limitNames(names.length, caller);
  const found = await findStreamers(names, { streaming: parts.streaming, signal: caller.signal });
  const accounts = found.filter((one) => one.kind === 'found');
  const settings = await parts.storedServers.find(requireServer(caller));
  const [first, ...others] = accounts;
  return addFound(first ? [[first, ...others]] : [], found, { ...options, settings }, caller, parts);
}

interface AddOptions extends FollowOptions {
  readonly settings: ServerSettings | undefined;
}

async function addFound(
  people: readonly Person[],
  found: readonly FoundStreamer[],
  { settings, ...options }: AddOptions,
  caller: Caller,
  parts: FollowingParts,
): Promise<Followed> {
  const { following: texts } = caller.texts;
  const server = requireServer(caller);
  const entries = await followedOf(caller, parts);
  const { added, known } = splitKnown(people, entries, options);
  const { lines, changes } = knownLines(known, settings, caller);
  const stop = people.length === 0 ? undefined : await stopOf(settings, caller, parts);
  // The first lines are shown of many.
  const problems = [...(added.length === 0 && stop !== undefined ? [stop] : []), ...lines, ...problemsOf(found, caller, parts)];
  const choices = await askForPlatform(found, options, caller, parts);
  const isFull = entries.length + added.length > MOST_ENTRIES;
  if (isFull) problems.push(texts.full(numeral(MOST_ENTRIES, caller)));
  const taken = new Set(entries.map(({ id }) => id));
  const made = (isFull ? [] : added).map((accounts) => {
    const [{ user }] = accounts;
    const id = freeEntryId(user, (one) => taken.has(one));
    taken.add(id);
    return { id, fields: fieldsOf(accounts, options) };
  });
  // One change: either all of them are stored or none, and Undo takes all of them back.
  const { change, entries: stored } =
    made.length + changes.length === 0
      ? { change: undefined, entries: [] }
      : await parts.controls.addListEntries({ list: FOLLOWED, server, entries: made, changes }, memberActor(caller));
  if (made.length === 0) {
    const isRefused = choices.length === 0 && changes.length === 0 && { isRefused: true as const };
    return { message: refusal(problems, caller, { choices, change }), ...isRefused };
  }
  const words = made[0] && shownWords(made[0]);
  const live = stop === undefined ? await liveNow(added, caller, parts) : [];
  const message = layout([
    textBlock(
      texts.title.followed(made.length),
      ...added.slice(0, MOST_LINES).map((accounts) => addedLine(accounts, caller)),
      added.length > MOST_LINES && '…',
    ),
    textBlock(
      stop ?? nextText(targetOf(made[0]?.fields ?? {}, settings), caller),
      words !== undefined && texts.only(words),
      memberLine(options.member, settings, caller),
    ),
    live.length > 0 &&
      textBlock(
        ...live.slice(0, MOST_LINES).map(({ stream }) => texts.live(shown(stream.owner.displayName), liveText(stream, caller))),
        live.length > MOST_LINES && '…',
      ),
    problems.length > 0 && textBlock(...problemLines(problems, caller)),
    ...choices,
    row(
      ...live.slice(0, MOST_ANNOUNCE_BUTTONS).map(({ accounts, stream }) => {
        const id = made[added.indexOf(accounts)]?.id ?? '';
        return button(`follow:announce:${shortId(id)}`, cutLabel(texts.buttons.announce(stream.owner.displayName), MAX_LABEL), {
          style: 'primary',
        });
      }),
      change && button(`follow:undo:${change.id}`, texts.buttons.undo),
    ),
  ]);
  return { message, first: stored.find(({ id }) => id === made[0]?.id) };
}

/** A sentence about the channel of the next card of an entry, and about the role that it pings. */
export function nextText({ channel, ping }: ReturnType<typeof targetOf>, { texts: { following } }: Pick<Caller, 'texts'>): string {
  const pings = ping === undefined ? following.pingsNoOne : following.pings(pingText(ping));
  return `${following.next(channelText(channel))} ${pings}`;
}

/** Whether a member gets the live role; undefined: the command names no member. */
export function memberLine(
  member: Json | undefined,
  settings: Pick<ServerSettings, 'liveRole'> | undefined,
  { texts: { following } }: Pick<Caller, 'texts'>,
): string | undefined {
  if (member === undefined) return undefined;
  if (typeof member !== 'string') return following.memberless;
  return settings?.liveRole === undefined ? following.memberWithoutRole(`<@${member}>`) : following.member(`<@${member}>`);
}

/** The words of which the game or the title of a stream needs one; undefined: every stream is announced. */
export function shownWords({ fields: { only } }: Pick<ListEntry, 'fields'>): string | undefined {
  return typeof only === 'string' ? escaped(only, MOST_WORDS) : undefined;
}

function addedLine(accounts: Person, { texts: { following } }: Caller): string {
  const [first] = accounts;
  return following.added(shown(first?.user.displayName ?? ''), accounts.map(({ platform }) => titleOf(platform)).join(', '));
}

interface LiveStreamer {
  readonly accounts: Person;
  readonly stream: Stream;
}

/** The new streamers who are live. A platform that does not answer has none. */
async function liveNow(added: readonly Person[], { signal }: Caller, { streaming }: FollowingParts): Promise<readonly LiveStreamer[]> {
  const byAccount = Map.groupBy(added.flat(), ({ account }) => account);
  const lists = await Promise.all(
    [...byAccount].map(async ([account, users]) => {
      try {
        return (await streaming.get(account)?.getStreams({ users: users.map(({ user }) => user.id), signal }))?.items ?? [];
      } catch (error) {
        if (error instanceof PlatformError) return [];
        throw error;
      }
    }),
  );
  const streams = lists.flat();
  return added.flatMap((accounts) => {
    const stream = streams.find(({ platform, owner }) => accounts.some((one) => one.platform === platform && one.user.id === owner.id));
    return stream ? [{ accounts, stream }] : [];
  });
}

function liveText({ game, viewerCount }: Stream, reader: Caller): string {
  return [...(game ? [escaped(game.name, 60)] : []), reader.texts.lookups.cards.watching(figure(viewerCount, reader), viewerCount)].join(
    ' · ',
  );
}

function problemsOf(found: readonly FoundStreamer[], { texts: { following } }: Caller, parts: Pick<FollowingParts, 'streaming'>): string[] {
  const platforms = platformsOf(parts);
  return found.flatMap((one) => {
    const typed = shown(one.name.typed);
    if (one.kind === 'unknown' && one.name.typed.includes('/') && !platforms.includes(one.name.platform ?? ''))
      return [following.notChannel(typed, platforms.map(titleOf).join(', '))];
    if (one.kind === 'unknown')
      return [
        following.unknown(typed, one.similar.length > 0 ? one.similar.map((name) => `\`${escapedCode(name)}\``).join(', ') : undefined),
      ];
    return one.kind === 'unreachable' ? [following.unreachable(typed, titleOf(one.platform))] : [];
  });
}

function problemLines(problems: readonly string[], caller: Caller): readonly (string | false)[] {
  const left = problems.length - MOST_LINES;
  return [...problems.slice(0, MOST_LINES), left > 0 && caller.texts.controls.more(numeral(left, caller))];
}

function refusal(
  problems: readonly string[],
  caller: Caller,
  {
    choices = [],
    change,
  }: { readonly choices?: Awaited<ReturnType<typeof askForPlatform>>; readonly change?: ListChange | undefined } = {},
): Layout {
  const { following } = caller.texts;
  const needsSetUp = problems.includes(following.noChannel);
  return layout(
    [
      textBlock(choices.length === 0 && !change && following.title.none, ...problemLines(problems, caller)),
      ...choices,
      needsSetUp && row(button('setup:start', following.buttons.setUp, { style: 'primary' })),
      change && row(button(`follow:undo:${change.id}`, following.buttons.undo)),
    ].filter((part) => part !== undefined && part !== false && !('content' in part && part.content === '')),
  );
}

/** The platforms that the accounts of the bot read. */
export function platformsOf({ streaming }: Pick<FollowingParts, 'streaming'>): readonly string[] {
  return [...new Set([...streaming.values()].map(({ platformName }) => platformName))];
}

function escapedCode(text: string): string {
  return text.replaceAll('`', '');
}

/** The name of an entry as text. */
export function shownName(entry: ListEntry): string {
  return shown(nameOf(entry));
}
