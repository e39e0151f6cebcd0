import { type ModalSubmitInteraction, SlashCommandBuilder, type MessageComponentInteraction } from 'discord.js';
import type { Actions } from '#src/admin/actions/actions.ts';
import type { ActionInput } from '#src/admin/actions/declarations.ts';
import { SERVER_ABILITIES, type ServerAbility, type ServerSettings, type ServerStore } from '#src/admin/servers/server-store.ts';
import { servedFields } from '#src/admin/lists/served-lists.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import { memberActor } from '#src/discord/actor.ts';
import { replyPrivately, updateWith } from '#src/discord/reply.ts';
import { requireServer, type Caller } from '#src/discord/caller.ts';
import type { ComponentHandler, SlashCommand } from '#src/discord/command.ts';
import { markedCard, sampleEntry, sendCard, type RenderCard } from '#src/discord/following/followed-card.ts';
import { localize } from '#src/discord/language/languages.ts';
import { commandMention, type Layout } from '#src/discord/layout.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { rolesAfter, storeChoice } from '#src/discord/servers/chosen-roles.ts';
import { commandIds } from '#src/discord/servers/command-ids.ts';
import { liveRefusal } from '#src/discord/servers/assignable-roles.ts';
import { requireMayAssign, requireMayPing } from '#src/discord/servers/member-rights.ts';
import { languageOf, zoneForm, zoneIn } from '#src/discord/servers/region.ts';
import { requireMayPost } from '#src/discord/servers/require-may-post.ts';
import { existingRoles, readServerState, type ServerState } from '#src/discord/servers/server-state.ts';
import { donePage, lackingText, rolesPage, setupPage, type SetupNotes } from '#src/discord/servers/setup-page.ts';

export interface SetupOptions {
  readonly controls: Pick<Actions, 'configureServer'>;
  readonly storedServers: ServerStore;
  /** Whether `/follow` exists. */
  readonly canFollow: boolean;
  /** Renders the card of a test; absent: there is no button for it. */
  readonly renderCard?: RenderCard | undefined;
  readonly clock: Clock;
}

type Change = Omit<ActionInput<'configureServer'>, 'server'>;
type Interacted = Pick<MessageComponentInteraction, 'client'>;

/** `/setup`: one private message with all settings of a server. Each choice is stored at once, so a restart loses nothing. */
export function setupCommand({ controls, storedServers, canFollow, renderCard, clock }: SetupOptions): SlashCommand {
  const findCommandId = commandIds(clock);
  const show = (settings: ServerSettings, state: ServerState, caller: Caller, notes?: Omit<SetupNotes, 'defaultZone'>) =>
    setupPage(settings, state, caller, {
      ...notes,
      defaultZone: caller.server?.zone ?? caller.zone,
      canFollow,
      canTest: renderCard !== undefined,
    });

  async function stateOf({ client }: Interacted, server: string): Promise<ServerState> {
    return readServerState(client.rest, { server, bot: client.user.id });
  }

  /** The settings of a server. Without a gateway, a server is known with its first command. */
  async function settingsOf(server: string, state: ServerState): Promise<ServerSettings> {
    const known = await storedServers.find(server);
    if (known && !known.leftAt) return known;
    await storedServers.join({ id: server, name: state.name, joinedAt: new Date(clock.nowMs()) });
    return (await storedServers.find(server)) ?? { id: server, name: state.name, roles: {}, joinedAt: new Date(clock.nowMs()) };
  }

  async function page(interaction: Interacted, caller: Caller): Promise<Layout> {
    const server = requireServer(caller);
    const state = await stateOf(interaction, server);
    return show(await settingsOf(server, state), state, caller);
  }

  async function store(change: Change, state: ServerState, caller: Caller): Promise<ServerSettings> {
    // A server without a row could not be changed.
    await settingsOf(state.id, state);
    return controls.configureServer({ server: state.id, ...change }, memberActor(caller));
  }

  async function change(changed: Change, state: ServerState, caller: Caller): Promise<Layout> {
    return show(await store(changed, state, caller), state, caller);
  }

  /** A choice in a menu of channels. Custom ids and values are not secret, so the channel may be of another server. */
  async function chooseChannel(
    interaction: MessageComponentInteraction,
    caller: Caller,
    field: 'channel' | 'problemsChannel',
  ): Promise<Layout> {
    // Alerts show deliveries and actions, which only operators may read.
    if (field === 'problemsChannel' && !mayGrant('operate', caller)) throw new NotAllowed(caller.texts.setup.problems.needsOperate);
    const state = await stateOf(interaction, requireServer(caller));
    const [channel = ''] = valuesOf(interaction);
    if (channel !== '') await requireMayPost(channel, state, caller);
    return change({ [field]: channel }, state, caller);
  }

  function requireRoles(state: ServerState, roles: readonly string[], { texts }: Caller): void {
    if (existingRoles(roles, state).length < roles.length) throw new UserError(texts.setup.foreignRole);
  }

  async function choosePing(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const state = await stateOf(interaction, requireServer(caller));
    const [role = ''] = valuesOf(interaction);
    if (role !== '') requireMayPing(role, state, caller);
    // The role of all members has the id of the server. It needs a second click.
    if (role === state.id) return show(await settingsOf(state.id, state), state, caller, { asksEveryone: true });
    if (role !== '') requireRoles(state, [role], caller);
    return change({ ping: role }, state, caller);
  }

  async function chooseLive(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const state = await stateOf(interaction, requireServer(caller));
    const [id = ''] = valuesOf(interaction);
    if (id === '') return change({ liveRole: id }, state, caller);
    requireRoles(state, [id], caller);
    const refusal = liveRefusal(id, state, caller);
    if (refusal !== undefined) return show(await settingsOf(state.id, state), state, caller, { refusedLive: refusal });
    requireMayAssign([id], state, caller);
    return change({ liveRole: id }, state, caller);
  }

  async function chooseLanguage(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const language = languageOf(valuesOf(interaction)[0], caller.texts);
    return change({ language }, await stateOf(interaction, requireServer(caller)), caller);
  }

  async function setZone(interaction: ModalSubmitInteraction, caller: Caller, shown: string | undefined): Promise<Layout> {
    const zone = zoneIn(interaction, shown, caller.texts);
    // Another administrator may have changed the zone while the form was open.
    if (zone === shown) return page(interaction, caller);
    return change({ zone }, await stateOf(interaction, requireServer(caller)), caller);
  }

  async function chooseRoles(interaction: MessageComponentInteraction, caller: Caller, ability: string | undefined): Promise<Layout> {
    const state = await stateOf(interaction, requireServer(caller));
    const chosen = SERVER_ABILITIES.find((each) => each === ability);
    if (!chosen) return rolesPage(await settingsOf(state.id, state), state, caller);
    if (!mayGrant(chosen, caller)) throw new NotAllowed(caller.texts.setup.roles.notYours);
    return storeChoice(async () => {
      const stored = (await settingsOf(state.id, state)).roles[chosen] ?? [];
      const roles = [...rolesAfter(interaction, existingRoles(stored, state), caller)];
      requireRoles(state, roles, caller);
      const expected = { roles: { [chosen]: [...stored] } };
      return rolesPage(await store({ roles: { [chosen]: roles }, expected }, state, caller), state, caller);
    });
  }

  /** Sends the card of a sample streamer to the channel of the server. It pings no one. */
  async function sendTest(
    { client, id }: MessageComponentInteraction,
    { settings, state, caller }: { readonly settings: ServerSettings; readonly state: ServerState; readonly caller: Caller },
  ): Promise<string> {
    const { setup: texts } = caller.texts;
    const { channel } = settings;
    if (channel === undefined || !renderCard) return texts.test.needsChannel;
    const problem = await lackingText(channel, state, caller);
    if (problem !== undefined) return problem;
    const sample = sampleEntry(state.id, caller.publicTexts);
    const entry = { ...sample, fields: servedFields(sample.fields, { ...settings, language: caller.publicLocale }) };
    const card = await markedCard(entry, { mark: caller.publicTexts.setup.test.mark, texts: caller.publicTexts, renderCard });
    const failure = 'failure' in card ? card.failure : await sendCard(card, { rest: client.rest, channel, press: id });
    return failure === undefined ? texts.test.sent(`<#${channel}>`) : texts.test.failed(failure);
  }

  async function test(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const state = await stateOf(interaction, requireServer(caller));
    const settings = await settingsOf(state.id, state);
    return show(settings, state, caller, { result: await sendTest(interaction, { settings, state, caller }) });
  }

  async function done(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const server = requireServer(caller);
    const { rest, application } = interaction.client;
    const mention = async (name: string) =>
      commandMention(name, await findCommandId(name.split(' ')[0] ?? '', { rest, application: application.id, server }));
    const state = await stateOf(interaction, server);
    return donePage(await settingsOf(server, state), state, { add: await mention('follow add'), help: await mention('help') }, caller);
  }

  const updates: Readonly<
    Record<string, (interaction: MessageComponentInteraction, caller: Caller, part: string | undefined) => Promise<Layout>>
  > = {
    main: (interaction, caller) => page(interaction, caller),
    check: (interaction, caller) => page(interaction, caller),
    channel: (interaction, caller) => chooseChannel(interaction, caller, 'channel'),
    problems: (interaction, caller) => chooseChannel(interaction, caller, 'problemsChannel'),
    ping: choosePing,
    async everyone(interaction, caller, answer) {
      if (answer !== undefined && answer !== 'yes' && answer !== 'no') throw new UserError(caller.texts.errors.gone);
      const state = await stateOf(interaction, requireServer(caller));
      if (answer !== 'no') requireMayPing(state.id, state, caller);
      const settings = await settingsOf(state.id, state);
      if (answer === undefined) return show(settings, state, caller, { asksEveryone: true });
      // The role stays of those who decide against everyone.
      if (answer === 'no' && settings.ping !== 'everyone') return show(settings, state, caller);
      return change({ ping: answer === 'yes' ? 'everyone' : '' }, state, caller);
    },
    live: chooseLive,
    language: chooseLanguage,
    roles: chooseRoles,
    test,
    done,
  };

  return {
    needs: 'setup',
    data: localize(new SlashCommandBuilder(), (texts) => texts.setup.command).toJSON(),
    async run(interaction, caller) {
      await replyPrivately(interaction, page(interaction, caller), clock);
    },
    components: {
      // The button of the greeting, which everyone sees.
      start: (interaction, _, caller) => replyPrivately(interaction, page(interaction, caller), clock),
      async zone(interaction, _, caller) {
        requireServer(caller);
        await interaction.showModal(zoneForm(caller.stored?.zone, caller.texts));
      },
      ...Object.fromEntries(
        Object.entries(updates).map(([name, update]): [string, ComponentHandler] => [
          name,
          (interaction, [part], caller) => updateWith(interaction, update(interaction, caller, part), clock),
        ]),
      ),
    },
    forms: {
      async zoned(interaction, parts, caller) {
        // A form of an earlier version does not name its zone, and an offset has a colon.
        const changed = setZone(interaction, caller, parts.length === 0 ? undefined : parts.join(':'));
        if (interaction.isFromMessage()) await updateWith(interaction, changed, clock);
        else await replyPrivately(interaction, changed, clock);
      },
    },
  };
}

/**
 * Whether the user may choose the roles with an ability: nobody grants more than they have. Outside of the home server, no ability reaches the
 * accounts of the installation, so those who manage such a server may grant all of them there.
 */
function mayGrant(ability: ServerAbility, caller: Caller): boolean {
  return caller.may(ability) || (caller.scope !== undefined && caller.hasPermission('ManageGuild'));
}

/** The chosen values of a menu; none for a button. */
function valuesOf(interaction: MessageComponentInteraction): readonly string[] {
  return interaction.isAnySelectMenu() ? interaction.values : [];
}
