import {
  type APIGuildMember,
  type APIRole,
  ComponentType,
  Routes,
  SlashCommandBuilder,
  type MessageComponentInteraction,
} from 'discord.js';
import type { Actions } from '#src/admin/actions/actions.ts';
import { MOST_ROLES, type ServerStore } from '#src/admin/servers/server-store.ts';
import type { Clock } from '#src/clock.ts';
import { UserError } from '#src/errors.ts';
import { memberActor } from '#src/discord/actor.ts';
import { replyPrivately, requireMaySend, updateWith } from '#src/discord/reply.ts';
import { requireServer, type Caller, type Reader } from '#src/discord/caller.ts';
import type { SlashCommand } from '#src/discord/command.ts';
import { button, selectMenu } from '#src/discord/components.ts';
import { NotAllowed } from '#src/discord/explain-error.ts';
import { en } from '#src/discord/language/en/index.ts';
import { localize } from '#src/discord/language/languages.ts';
import { layout, roleSelect, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { isSafe } from '#src/discord/servers/assignable-roles.ts';
import { rolesAfter, storeChoice } from '#src/discord/servers/chosen-roles.ts';
import { requireMayAssign } from '#src/discord/servers/member-rights.ts';
import { includesPermission, readServerState, type ServerState } from '#src/discord/servers/server-state.ts';

export interface PingsOptions {
  readonly controls: Pick<Actions, 'configureServer'>;
  readonly storedServers: Pick<ServerStore, 'find'>;
  readonly clock: Clock;
}

type Interacted = Pick<MessageComponentInteraction, 'client' | 'user'>;

/** `/pings`: members choose roles that announcements ping. */
export function pingsCommand({ controls, storedServers, clock }: PingsOptions): SlashCommand {
  const stateOf = ({ client }: Interacted, caller: Caller): Promise<ServerState> =>
    readServerState(client.rest, { server: requireServer(caller), bot: client.user.id });

  const storedIn = async ({ id }: ServerState): Promise<readonly string[]> => (await storedServers.find(id))?.pings ?? [];

  /** The offered roles that are still safe: permissions of roles change. */
  async function offered(state: ServerState): Promise<readonly APIRole[]> {
    return safeOf(await storedIn(state), state);
  }

  async function mine(interaction: Interacted, caller: Caller, note?: string): Promise<Layout> {
    const { pings } = caller.texts;
    const state = await stateOf(interaction, caller);
    const roles = await offered(state);
    if (roles.length === 0) return layout([textBlock(pings.none)]);
    const { rest } = interaction.client;
    const member = (await rest.get(Routes.guildMember(state.id, interaction.user.id))) as APIGuildMember; // as Discord documents it
    const options = roles.map(({ id, name }) => ({ label: name.slice(0, 100), value: id, default: member.roles.includes(id) }));
    const menu = { ...selectMenu('pings:chosen', { placeholder: pings.pick, options, max: options.length }), min_values: 0 };
    return layout([textBlock(pings.title, pings.about), row(menu), note !== undefined && textBlock(note)]);
  }

  /** Adds and removes the offered roles of the menu only: it may be older than the offer. Custom ids and values are not secret. */
  async function choose(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    const state = await stateOf(interaction, caller);
    const chosen = interaction.isStringSelectMenu() ? interaction.values : [];
    const menu = interaction.message.resolveComponent(interaction.customId);
    const shown = menu?.type === ComponentType.StringSelect ? menu.options.map(({ value }) => value) : [];
    const { rest } = interaction.client;
    const member = (await rest.get(Routes.guildMember(state.id, interaction.user.id))) as APIGuildMember; // as Discord documents it
    for (const { id } of await offered(state)) {
      if (!shown.includes(id)) continue;
      const route = Routes.guildMemberRole(state.id, interaction.user.id, id);
      if (chosen.includes(id) && !member.roles.includes(id)) await rest.put(route);
      if (!chosen.includes(id) && member.roles.includes(id)) await rest.delete(route);
    }
    return mine(interaction, caller, caller.texts.pings.saved);
  }

  async function offer(interaction: Interacted, caller: Caller, menu?: MessageComponentInteraction): Promise<Layout> {
    if (!caller.may('setup')) throw new NotAllowed(caller.texts.errors.notAllowed);
    const { pings } = caller.texts;
    const state = await stateOf(interaction, caller);
    const stored = await storedIn(state);
    const before = safeOf(stored, state).map(({ id }) => id);
    const roles = (menu ? rolesAfter(menu, before, caller) : []).map((id) => {
      const role = state.roles.find((one) => one.id === id);
      if (!role) throw new UserError(caller.texts.setup.foreignRole);
      return role;
    });
    const refused = roles.filter((role) => !isSafe(role, state));
    if (menu) {
      const safe = roles.filter((role) => isSafe(role, state)).map(({ id }) => id);
      const added = safe.filter((id) => !before.includes(id));
      if (added.length > 0) requireMayAssign(added, state, caller);
      await controls.configureServer({ server: state.id, pings: safe, expected: { pings: [...stored] } }, memberActor(caller));
    }
    const chosen = (await offered(state)).map(({ id }) => id);
    const liveRole = caller.stored?.liveRole;
    return layout([
      textBlock(pings.offer),
      row(roleSelect('pings:offer', { placeholder: pings.offerPick, chosen, max: MOST_ROLES })),
      !includesPermission(state.permissions, 'ManageRoles') && textBlock(`⚠️ ${caller.texts.setup.live.noPermission}`),
      liveRole !== undefined && chosen.includes(liveRole) && textBlock(caller.texts.setup.live.alsoPinged(`<@&${liveRole}>`)),
      refused.length > 0 && textBlock(pings.unsafe(refused.map(({ id }) => `<@&${id}>`).join(', '))),
      row(button('pings:post', pings.buttons.post, { style: 'primary', disabled: chosen.length === 0 })),
    ]);
  }

  async function post(interaction: MessageComponentInteraction, caller: Caller): Promise<Layout> {
    if (!caller.may('setup')) throw new NotAllowed(caller.texts.errors.notAllowed);
    requireMaySend(interaction, caller);
    const { components, flags } = menuMessage({ texts: caller.publicTexts });
    await interaction.client.rest.post(Routes.channelMessages(interaction.channelId), {
      body: { components, flags, allowed_mentions: { parse: [] } },
    });
    return layout([textBlock(caller.texts.pings.posted)]);
  }

  return {
    needs: 'look',
    data: localize(new SlashCommandBuilder(), ({ pings }) => pings.command)
      .addSubcommand((subcommand) => localize(subcommand, ({ pings }) => pings.choose))
      .addSubcommand((subcommand) => localize(subcommand, ({ pings }) => pings.post))
      .toJSON(),

    async run(interaction, caller) {
      requireServer(caller);
      const isPost = interaction.options.getSubcommand() === en.pings.post.name;
      await replyPrivately(interaction, isPost ? offer(interaction, caller) : mine(interaction, caller), clock);
    },

    components: {
      mine: (interaction, _, caller) => replyPrivately(interaction, mine(interaction, caller), clock),
      chosen: (interaction, _, caller) => updateWith(interaction, choose(interaction, caller), clock),
      post: (interaction, _, caller) => updateWith(interaction, post(interaction, caller), clock),
      offer: (interaction, _, caller) =>
        updateWith(
          interaction,
          storeChoice(() => offer(interaction, caller, interaction)),
          clock,
        ),
    },
  };
}

function safeOf(ids: readonly string[], state: ServerState): readonly APIRole[] {
  return ids.flatMap((id) => state.roles.find((role) => role.id === id && isSafe(role, state)) ?? []);
}

function menuMessage({ texts: { pings } }: Pick<Reader, 'texts'>): Layout {
  return layout([textBlock(pings.menu), row(button('pings:mine', pings.buttons.choose, { style: 'primary' }))]);
}
