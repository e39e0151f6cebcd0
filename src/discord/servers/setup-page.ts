import { ChannelType, type APIComponentInContainer } from 'discord.js';
import { MOST_ROLES, SERVER_ABILITIES, type ServerSettings } from '#src/admin/servers/server-store.ts';
import type { Caller, Reader } from '#src/discord/caller.ts';
import { button } from '#src/discord/components.ts';
import { channelSelect, divider, layout, roleSelect, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { numeral } from '#src/discord/text/format.ts';
import { escaped } from '#src/discord/text/untrusted-text.ts';
import { liveRefusal } from './assignable-roles.ts';
import { regionParts } from './region.ts';
import { existingRoles, includesPermission, lackingOf, type ServerState } from './server-state.ts';

const TEXT_CHANNELS = [ChannelType.GuildText, ChannelType.GuildAnnouncement];

/** What the page shows beside the settings. */
export interface SetupNotes {
  /** The zone of a server without a zone. */
  readonly defaultZone: string;
  /** Asks whether to ping everyone. */
  readonly asksEveryone?: boolean;
  /** Why the chosen live role was refused. */
  readonly refusedLive?: string | undefined;
  /** Whether `/follow` exists. */
  readonly canFollow?: boolean;
  /** Whether there is a test. */
  readonly canTest?: boolean;
  /** What the test did. */
  readonly result?: string | undefined;
}

/** The page of `/setup`: all settings of a server, checked now. */
export async function setupPage(
  settings: ServerSettings,
  state: ServerState,
  reader: Reader,
  { defaultZone, asksEveryone = false, refusedLive, canFollow = false, canTest = false, result }: SetupNotes,
): Promise<Layout> {
  const { setup: texts } = reader.texts;
  const { channel, problemsChannel, liveRole } = settings;
  const liveWarning = refusedLive ?? (liveRole === undefined ? undefined : liveRefusal(liveRole, state, reader));
  const live = existingRoles(liveRole === undefined ? [] : [liveRole], state);
  const pinged = [settings.ping, ...(settings.pings ?? [])];
  const [announcing, alerting] = [await channelStatus(channel, state, reader), await channelStatus(problemsChannel, state, reader)];
  return layout([
    textBlock(texts.title(escaped(state.name, 100))),
    textBlock(texts.channel.title, announcing?.text ?? texts.channel.none),
    row(
      channelSelect('setup:channel', {
        placeholder: texts.channel.pick,
        chosen: announcing?.isThere ? [announcing.id] : [],
        types: TEXT_CHANNELS,
      }),
    ),
    textBlock(texts.ping.title, pingStatus(settings, state, reader)),
    ...pingParts(settings, state, reader, asksEveryone),
    textBlock(texts.problems.title, alerting?.alertText ?? texts.problems.none),
    row(
      channelSelect('setup:problems', {
        placeholder: texts.problems.pick,
        chosen: alerting?.isThere ? [alerting.id] : [],
        types: TEXT_CHANNELS,
        min: 0,
      }),
    ),
    textBlock(
      texts.live.title,
      liveRole === undefined && texts.live.none,
      ...live.map((role) => texts.live.role(`<@&${role}>`)),
      liveWarning && `⚠️ ${liveWarning}`,
      ...live.filter((role) => pinged.includes(role)).map((role) => texts.live.alsoPinged(`<@&${role}>`)),
    ),
    row(roleSelect('setup:live', { placeholder: texts.live.pick, chosen: live })),
    ...regionParts(settings, defaultZone, reader),
    divider(),
    // The part of the channel says what the test lacks.
    result !== undefined && result !== announcing?.text && textBlock(result),
    row(
      (announcing?.isLacking || alerting?.isLacking) && button('setup:check', texts.channel.check, { style: 'primary' }),
      canTest && button('setup:test', texts.buttons.test, { disabled: !announcing?.isThere }),
      canFollow && button('follow:form', texts.buttons.follow, { style: 'good', disabled: !announcing?.isThere }),
      button('setup:roles', texts.buttons.roles),
      button('setup:done', texts.buttons.done),
    ),
  ]);
}

interface ChannelStatus {
  readonly id: string;
  readonly isThere: boolean;
  readonly isLacking: boolean;
  readonly text: string;
  readonly alertText: string;
}

async function channelStatus(id: string | undefined, state: ServerState, { texts: { setup } }: Reader): Promise<ChannelStatus | undefined> {
  if (id === undefined) return undefined;
  const bits = await state.inChannel(id);
  if (bits === undefined) return { id, isThere: false, isLacking: false, text: setup.channel.gone, alertText: setup.channel.gone };
  if (await state.isWithoutMessages(id)) {
    const text = setup.channel.noMessages(`<#${id}>`);
    return { id, isThere: false, isLacking: false, text, alertText: text };
  }
  const lacking = lackingOf(bits);
  const [channel, names] = [`<#${id}>`, lacking.map((name) => setup.permissions[name]).join(', ')];
  if (lacking.length > 0) {
    const text = setup.lacks(channel, names, lacking.length);
    return { id, isThere: true, isLacking: true, text, alertText: text };
  }
  return { id, isThere: true, isLacking: false, text: setup.channel.fine(channel), alertText: setup.problems.fine(channel) };
}

/** Why the bot cannot post in a channel; undefined: it can. */
export async function lackingText(channel: string, state: ServerState, reader: Reader): Promise<string | undefined> {
  const status = await channelStatus(channel, state, reader);
  return status?.isThere && !status.isLacking ? undefined : status?.text;
}

function membersOf({ members }: ServerState, { texts: { setup }, locale }: Reader): string {
  return members === undefined ? setup.ping.all : setup.ping.members(numeral(members, { locale }), members);
}

function pingStatus({ ping }: ServerSettings, state: ServerState, reader: Reader): string {
  const { ping: texts } = reader.texts.setup;
  if (ping === undefined) return texts.none;
  const mayPingAll = includesPermission(state.permissions, 'MentionEveryone');
  if (ping === 'everyone') return mayPingAll ? texts.everyone(membersOf(state, reader)) : texts.cannot('@everyone');
  const role = state.roles.find(({ id }) => id === ping);
  if (!role) return texts.gone;
  return role.mentionable || mayPingAll ? texts.role(`<@&${ping}>`) : texts.cannot(`<@&${ping}>`);
}

function pingParts(
  { ping }: ServerSettings,
  state: ServerState,
  reader: Reader,
  asksEveryone: boolean,
): readonly APIComponentInContainer[] {
  const { ping: texts } = reader.texts.setup;
  const members = membersOf(state, reader);
  const role = ping === undefined || ping === 'everyone' ? [] : [ping];
  const select = row(roleSelect('setup:ping', { placeholder: texts.pick, chosen: existingRoles(role, state) }));
  if (!asksEveryone)
    return [select, row(ping === 'everyone' ? button('setup:everyone:no', texts.none) : button('setup:everyone', texts.askEveryone))];
  const yes = button('setup:everyone:yes', texts.yes(members), { style: 'danger' });
  return [select, textBlock(texts.question(members)), row(yes, button('setup:everyone:no', texts.no))];
}

/** The page of the permissions by role. The social accounts belong to the home server, so other servers have no permission to post. */
export function rolesPage(
  { roles }: Pick<ServerSettings, 'roles'>,
  state: Pick<ServerState, 'roles'>,
  { texts: { setup }, scope }: Pick<Caller, 'texts' | 'scope'>,
): Layout {
  const abilities = SERVER_ABILITIES.filter((ability) => ability !== 'post' || !scope);
  const parts = abilities.flatMap((ability) => [
    textBlock(setup.roles[ability]),
    row(
      roleSelect(`setup:roles:${ability}`, {
        placeholder: setup.roles.pick,
        chosen: existingRoles(roles[ability] ?? [], state),
        max: MOST_ROLES,
      }),
    ),
  ]);
  return layout([textBlock(setup.roles.title, setup.roles.about), ...parts, row(button('setup:main', setup.buttons.back))]);
}

/** The last page, with the next steps, or with the reason that nothing is announced yet. */
export async function donePage(
  settings: ServerSettings,
  state: ServerState,
  mentions: { readonly add: string; readonly help: string },
  reader: Reader,
): Promise<Layout> {
  const { channel: texts, done, buttons } = reader.texts.setup;
  const announcing = await channelStatus(settings.channel, state, reader);
  if (!announcing?.isThere || announcing.isLacking)
    return layout([
      textBlock(done.notYet, announcing?.text ?? texts.none),
      row(announcing?.isLacking && button('setup:check', texts.check, { style: 'primary' }), button('setup:main', buttons.back)),
    ]);
  return layout([
    textBlock(done.title, done.channel(`<#${announcing.id}>`), pingStatus(settings, state, reader), done.next(mentions.add, mentions.help)),
  ]);
}
