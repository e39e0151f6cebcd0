import { acceptedLink } from '#src/clients/operation/accepted-address.ts';
import { ApplicationCommandOptionType as Type, SlashCommandBuilder } from 'discord.js';
import type { Clock } from '#src/clock.ts';
import { replyPrivately } from '#src/discord/reply.ts';
import type { Caller } from '#src/discord/caller.ts';
import { isSlash, refusalOf, type Command, type SlashCommand } from '#src/discord/command.ts';
import { linkButton } from '#src/discord/components.ts';
import { localize } from '#src/discord/language/languages.ts';
import type { Texts } from '#src/discord/language/texts.ts';
import { commandMention, layout, row, textBlock, type Layout } from '#src/discord/layout.ts';
import { commandIds } from '#src/discord/servers/command-ids.ts';

interface HelpOptions {
  /** The other commands. */
  readonly commands: readonly Command[];
  /** The address of the page; absent: it is not public. */
  readonly publicUrl?: string | undefined;
  readonly clock: Clock;
}

interface Group {
  readonly texts: (texts: Texts['help']) => { readonly title: string; readonly about: string };
  readonly commands: readonly string[];
}

/** The groups, and their commands in the order in which people need them. */
const GROUPS: readonly Group[] = [
  { texts: ({ announce }) => announce, commands: ['setup', 'follow'] },
  { texts: ({ pings }) => pings, commands: ['pings'] },
  { texts: ({ search }) => search, commands: ['live', 'top', 'game', 'user', 'videos', 'clips', 'search', 'social'] },
  { texts: ({ ask }) => ask, commands: ['ask', 'conversation'] },
  { texts: ({ post }) => post, commands: ['post'] },
  { texts: ({ operate }) => operate, commands: ['automation', 'deliveries', 'resolve', 'status'] },
];

/** `/help`: the commands that the user can use, three lines a group. */
export function helpCommand({ commands, publicUrl, clock }: HelpOptions): SlashCommand {
  const findId = commandIds(clock);
  const slash = new Map(commands.filter(isSlash).map((command) => [command.data.name, command]));

  async function page(caller: Caller, mention: (name: string) => Promise<string>): Promise<Layout> {
    const { help } = caller.texts;
    const address = acceptedLink(publicUrl);
    const groups = GROUPS.flatMap(({ texts, commands: names }) => {
      const offered = names.flatMap((name) => usable(slash.get(name), caller) ?? []);
      return offered.length === 0 ? [] : [{ texts: texts(help), names: offered }];
    });
    const blocks = await Promise.all(
      groups.map(async ({ texts, names }) =>
        textBlock(`**${texts.title}**`, (await Promise.all(names.map(mention))).join(' '), `-# ${texts.about}`),
      ),
    );
    return layout([
      textBlock(help.title, groups.length === 0 && caller.texts.errors.notAllowed),
      ...blocks,
      address !== undefined && row(linkButton(address, help.page)),
    ]);
  }

  async function show(interaction: Parameters<typeof replyPrivately>[0], caller: Caller): Promise<void> {
    const { rest, application } = interaction.client;
    const options = { rest, application: application.id, server: interaction.guildId ?? '' };
    const mention = async (name: string) => commandMention(name, await findId(name.split(' ')[0] ?? name, options));
    await replyPrivately(interaction, page(caller, mention), clock);
  }

  return {
    needs: 'look',
    data: localize(new SlashCommandBuilder(), ({ help }) => help.command).toJSON(),
    run: show,
    components: { start: (interaction, _, caller) => show(interaction, caller) },
  };
}

/** The mention of a command: its name, or its name with the first subcommand that the user may use, because Discord cannot mention a group of subcommands. */
function usable(command: SlashCommand | undefined, caller: Caller): string | undefined {
  if (!command) return undefined;
  const { name, options = [] } = command.data;
  const parts = options.flatMap((one) => (one.type === Type.Subcommand || one.type === Type.SubcommandGroup ? [one.name] : []));
  if (parts.length === 0) return refusalOf(command, caller, null) === undefined ? name : undefined;
  const part = parts.find((one) => refusalOf(command, caller, one) === undefined);
  return part === undefined ? undefined : `${name} ${part}`;
}
